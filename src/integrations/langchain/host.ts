/** What this adapter needs of `langchain` 1 and LangGraph. Described here, so that neither has to be installed. */

/** A message of the state, as far as it is read here. */
export interface HostMessage {
  readonly type?: string;
  readonly id?: string | undefined;
  content: unknown;
  readonly status?: string | undefined;
  readonly tool_call_id?: string | undefined;
  readonly tool_calls?: readonly unknown[] | undefined;
}

/** The state of an agent, as far as it is read here. */
export interface HostState {
  readonly messages: readonly object[];
}

export interface ToolRequest {
  readonly toolCall: { readonly name: string; readonly args: unknown; readonly id?: string | undefined };
  readonly tool?: unknown;
  readonly runtime?: unknown;
}

/** The parts of the runtime of a tool call that are read here. */
export interface ToolRuntime {
  /** LangGraph's `interrupt`: the run ends, and is called again with the answer of a person. */
  readonly interrupt?: ((value: unknown) => unknown) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An update of the state, and where to go next. */
export interface Update {
  messages?: never[];
  jumpTo?: 'model' | 'end';
}

/** What `createMiddleware` is given. Its methods reject with the errors of the host. */
export interface MiddlewareConfig {
  readonly name: string;
  readonly beforeAgent: Point<'end'>;
  readonly beforeModel: Point<'end'>;
  readonly afterAgent: Point<'model'>;
  /** Makes a request, and acknowledges what it carried when it is answered. */
  wrapModelCall<Request, Response>(
    request: Request,
    handler: (request: Request) => Response | Promise<Response>,
  ): Promise<Response>;
  /** Runs a tool with its hooks. */
  wrapToolCall<Request extends ToolRequest, Response>(
    request: Request,
    handler: (request: Request) => Response | Promise<Response>,
  ): Promise<Response>;
}

interface Point<Target> {
  hook(state: HostState): Promise<Update | undefined>;
  canJumpTo: Target[];
}
