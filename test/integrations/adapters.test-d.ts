import {
  type HookCallbackMatcher,
  type Options,
  query,
  type SDKMessage,
  type HookEvent as SdkEvent,
  type SyncHookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expectTypeOf, it } from 'vitest';
import { type HookEvent, NoopRunner, Runner } from '../../src/index.js';
import { SdkBridge, type SdkHookOptions, toSdkHooks } from '../../src/integrations/claude-agent-sdk/index.js';
import { guardClient, withHooks, wrapToolHandler } from '../../src/integrations/mcp/index.js';

const runner = new Runner();
declare const theirs: Options['hooks'];

describe('the Agent SDK', () => {
  it('AD-1: the hooks are what its `query` takes', () => {
    const hooks = toSdkHooks(runner, { agentId: 'a' });
    expectTypeOf(hooks).toExtend<NonNullable<Options['hooks']>>();
    expectTypeOf(query).toBeCallableWith({ prompt: '', options: { hooks } });
    expectTypeOf(hooks.PreToolUse).toEqualTypeOf<HookCallbackMatcher[] | undefined>();
  });

  it('AD-1: its events are the fifteen', () => {
    expectTypeOf<SdkEvent>().toEqualTypeOf<HookEvent>();
  });

  it('AD-2: the hooks that a query has are merged as they are', () => {
    expectTypeOf({ merge: theirs }).toExtend<SdkHookOptions>();
  });

  it('AD-1: every kind of runner will do', () => {
    expectTypeOf(toSdkHooks).toBeCallableWith(new NoopRunner());
    expectTypeOf(toSdkHooks).toBeCallableWith(runner.forAgent('a'));
  });

  it('AD-18: events and policies that do not exist do not compile', () => {
    // @ts-expect-error there is no such event
    toSdkHooks(runner, { events: ['PreToolUs'] });
    // @ts-expect-error there is no such policy
    toSdkHooks(runner, { onError: 'open' });
  });

  it('AD-13: the messages of a query pass through with their type', () => {
    const bridge = new SdkBridge(runner);
    expectTypeOf(bridge.follow(query({ prompt: '' }))).toEqualTypeOf<
      AsyncGenerator<SDKMessage, void, undefined>
    >();
  });

  it('AD-9: the SDK has a specific answer for nine of the events', () => {
    expectTypeOf<NonNullable<SyncHookJSONOutput['hookSpecificOutput']>['hookEventName']>().toEqualTypeOf<
      Exclude<
        HookEvent,
        'Stop' | 'SubagentStop' | 'PreCompact' | 'SessionEnd' | 'TeammateIdle' | 'TaskCompleted'
      >
    >();
  });
});

describe('MCP', () => {
  it('AD-20: a server and a client keep their types', () => {
    const server = new McpServer({ name: 's', version: '1' });
    expectTypeOf(withHooks(server, runner, { serverName: 's' })).toEqualTypeOf<McpServer>();
    class Own extends Client {}
    expectTypeOf(guardClient(new Own({ name: 'c', version: '1' }), runner)).toEqualTypeOf<Own>();
  });

  it('AD-20: a wrapped handler is what a server takes', () => {
    const server = new Server({ name: 's', version: '1' });
    const options = { serverName: 's', agentId: 'a', server };
    server.setRequestHandler(
      CallToolRequestSchema,
      wrapToolHandler(
        async (request, extra) => {
          expectTypeOf(request.params.name).toEqualTypeOf<string>();
          expectTypeOf(extra.signal).toEqualTypeOf<AbortSignal>();
          return { content: [] };
        },
        runner,
        options,
      ),
    );
    // @ts-expect-error a server without a name
    withHooks(new McpServer({ name: 's', version: '1' }), runner, {});
  });
});
