/** OpenTelemetry's API, which is an optional package: where it is not installed there is no telemetry. */
import { messageOf } from '../../base/errors.js';

export type Api = typeof import('@opentelemetry/api');

const NAME = '@opentelemetry/api';

/** A text says why there is none. Never rejects. */
export async function loadApi(): Promise<Api | string> {
  try {
    return await import('@opentelemetry/api');
  } catch (error) {
    const why = isAbsent(error) ? 'is not installed' : `cannot be loaded (${messageOf(error)})`;
    return `Telemetry needs the package ${NAME}, which ${why}: npm install ${NAME}`;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

/** What has been recorded is handed on by providers that can do so; one that fails says it elsewhere. Never rejects. */
export async function flushProviders({ trace, metrics }: Api): Promise<void> {
  const tracers: unknown = trace.getTracerProvider();
  const providers = [isProxy(tracers) ? tracers.getDelegate() : tracers, metrics.getMeterProvider()];
  await Promise.allSettled(
    // The API does not know this method; all providers of the SDK have it.
    providers.map(async (provider) => (provider as { forceFlush?(): unknown }).forceFlush?.()),
  );
}

function isProxy(provider: unknown): provider is { getDelegate(): unknown } {
  return typeof (provider as { getDelegate?: unknown }).getDelegate === 'function';
}
