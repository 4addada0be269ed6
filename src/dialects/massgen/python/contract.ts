/** The Python half of MassGen's contract: the event a handler gets, its result, and the names it may import. */

/**
 * Part of the program of the warm process. It provides the module `massgen.mcp_tools.hooks` only if nothing else
 * does: an installed MassGen always has precedence.
 */
export const PYTHON_CONTRACT = `
import dataclasses, datetime, enum, typing

class HookType(str, enum.Enum):
    PRE_TOOL_USE = "PreToolUse"
    POST_TOOL_USE = "PostToolUse"

@dataclasses.dataclass
class HookEvent:
    hook_type: str
    session_id: str
    orchestrator_id: str
    agent_id: typing.Optional[str]
    timestamp: datetime.datetime
    tool_name: str
    tool_input: dict
    tool_output: typing.Optional[str] = None

    def to_dict(self):
        return {**vars(self), "timestamp": self.timestamp.isoformat()}

    def to_json(self):
        return json.dumps(self.to_dict())

@dataclasses.dataclass
class HookResult:
    allowed: bool = True
    decision: str = "allow"
    reason: typing.Optional[str] = None
    updated_input: typing.Optional[dict] = None
    inject: typing.Any = None
    hook_errors: list = dataclasses.field(default_factory=list)
    executed_hooks: list = dataclasses.field(default_factory=list)
    metadata: dict = dataclasses.field(default_factory=dict)
    modified_args: typing.Optional[str] = None

    def __post_init__(self):
        if self.allowed is False:
            self.decision = "deny"
        elif self.decision == "deny":
            self.allowed = False

    @classmethod
    def allow(cls):
        return cls()

    @classmethod
    def deny(cls, reason=None):
        return cls(allowed=False, decision="deny", reason=reason)

    @classmethod
    def ask(cls, reason=None):
        return cls(decision="ask", reason=reason)

    @classmethod
    def from_dict(cls, data):
        names = {field.name for field in dataclasses.fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in names})

    def to_dict(self):
        return dict(vars(self))

    def add_error(self, error):
        self.hook_errors.append(str(error))

    def has_errors(self):
        return len(self.hook_errors) > 0

class PythonCallableHook:
    """Only holds what it is given: which hooks run is for the YAML file to say."""
    def __init__(self, name, handler, matcher="*", timeout=30, fail_closed=False):
        self.name, self.handler, self.matcher = name, handler, matcher
        self.timeout, self.fail_closed = timeout, fail_closed

class GeneralHookManager:
    """Lets files that also register hooks by hand be imported."""
    def register_global_hook(self, hook_type, hook):
        print("Hooks registered in Python are not run here; name the handler in the YAML file.")

    def register_agent_hook(self, agent_id, hook_type, hook, override=False):
        self.register_global_hook(hook_type, hook)

OFFERED = (HookType, HookEvent, HookResult, PythonCallableHook, GeneralHookManager)
HOOKS_MODULE = "massgen.mcp_tools.hooks"

class Provider(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last finder, so it only provides modules that do not exist otherwise."""
    packages = {"massgen": True, "massgen.mcp_tools": True, HOOKS_MODULE: False}

    def find_spec(self, name, path=None, target=None):
        if name not in self.packages:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=self.packages[name])

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        if module.__name__ == HOOKS_MODULE:
            vars(module).update({item.__name__: item for item in OFFERED})

for item in OFFERED:
    item.__module__ = HOOKS_MODULE
sys.meta_path.append(Provider())

def make_event(data):
    """An installed MassGen's own class where a handler has imported it, so that isinstance holds."""
    data = {**data, "timestamp": datetime.datetime.fromisoformat(data["timestamp"])}
    own = getattr(sys.modules.get(HOOKS_MODULE), "HookEvent", HookEvent)
    try:
        return own(**data)
    except TypeError:
        return HookEvent(**data)

class Unusable(Exception):
    """The handler has answered, but not with something that can be read."""

RESULT_FIELDS = ("allowed", "decision", "reason", "updated_input", "modified_args", "inject", "hook_errors")

def plain(answer):
    """Dictionaries and simple values as they are, judged where they arrive; results as dictionaries."""
    if answer is None or isinstance(answer, (dict, list, str, bool, int, float)):
        return answer
    if isinstance(answer, type) or not (hasattr(answer, "allowed") or hasattr(answer, "decision")):
        kind = "a class" if isinstance(answer, type) else "a " + type(answer).__name__
        raise Unusable("it returned %s; return a HookResult, a dict or None" % kind)
    return {name: getattr(answer, name) for name in RESULT_FIELDS if hasattr(answer, name)}

def as_json(answer):
    try:
        return json.dumps(answer, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise Unusable("its answer is not JSON data: %s" % error)
`;
