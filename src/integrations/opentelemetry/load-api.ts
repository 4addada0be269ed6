/** Loads OpenTelemetry's API, an optional package; without it there is no telemetry. */
import { messageOf } from '../../base/errors.js';
import { loadOptional, rethrow } from '../../base/optional-package.js';

export type Api = typeof import('@opentelemetry/api');

/** Returns a string if it cannot be loaded: the reason. Never rejects. */
export async function loadApi(): Promise<Api | string> {
  return loadOptional(
    '@opentelemetry/api',
    'Telemetry needs',
    async () => {
      try {
        return await import('@opentelemetry/api');
      } catch (error) {
        return rethrow(error);
      }
    },
    (message, cause) => new Error(message, { cause }),
  ).catch(messageOf);
}

/** Flushes the providers that support it; errors are ignored. Never rejects. */
export async function flushProviders({ trace, metrics }: Api): Promise<void> {
  const tracers: unknown = trace.getTracerProvider();
  const providers = [isProxy(tracers) ? tracers.getDelegate() : tracers, metrics.getMeterProvider()];
  await Promise.allSettled(
    // `forceFlush` is not part of the API, but all providers of the SDK have it.
    providers.map(async (provider) => (provider as { forceFlush?(): unknown }).forceFlush?.()),
  );
}

function isProxy(provider: unknown): provider is { getDelegate(): unknown } {
  return typeof (provider as { getDelegate?: unknown }).getDelegate === 'function';
}
