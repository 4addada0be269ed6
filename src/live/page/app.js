/** Receives events from the server and passes them to the part of the page that shows them. */
import { canWrite, setUpAccess } from './access.js';
import { MAX_ENTRIES, showAgent, showTurn, showTurnEnd } from './agents.js';
import { backlog } from './backlog.js';
import { byId, setServerTime } from './dom.js';
import {
  showDenied,
  showFire,
  showFireEnd,
  showHook,
  showHookEnd,
  showNote,
  showProgress,
  showText,
  showTool,
  showToolResult,
} from './entries.js';
import { setUpFires } from './fires.js';
import { setUpHooks } from './hooks.js';
import { showItem, showItemText } from './items.js';
import { showAnswered, showQuestion } from './questions.js';
import { setUpSaying, showSaid, showTargets } from './say.js';
import { onChange, store, totalSpent } from './store.js';
import { setUpViews } from './views.js';
import { endWelcome, showWelcome } from './welcome.js';

const SHOW = {
  agent: (event) => {
    showAgent(event);
    showTargets();
  },
  turn: showTurn,
  turn_end: showTurnEnd,
  text: showText,
  note: showNote,
  tool: showTool,
  tool_result: showToolResult,
  denied: showDenied,
  fire: showFire,
  fire_end: showFireEnd,
  hook: showHook,
  progress: showProgress,
  hook_end: showHookEnd,
  item: (event) => {
    showItem(event);
    showSaid();
  },
  item_text: showItemText,
  question: showQuestion,
  answered: showAnswered,
};

const show = backlog(MAX_ENTRIES, (event) => SHOW[event.type]?.(event));
let epoch;

function connect() {
  const source = new EventSource('events');
  source.addEventListener('hello', ({ data }) => {
    const hello = JSON.parse(data);
    // The server was restarted: what this page shows belongs to the old one.
    if (epoch !== undefined && epoch !== hello.epoch) location.reload();
    epoch = hello.epoch;
    setUpAccess(hello.watch);
    setServerTime(hello.now);
    document.title = hello.title;
    byId('title').textContent = hello.title;
    byId('say').hidden = !hello.canSay || !canWrite();
    showConnection('live', canWrite() ? 'live' : 'live, watching only');
    void showWelcome(canWrite() ? hello.examples : []);
  });
  source.addEventListener('gap', () => {
    byId('gap').hidden = false;
  });
  source.addEventListener('end', () => {
    source.close();
    byId('say').hidden = true;
    showConnection('ended', 'ended');
  });
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) showConnection('lost', 'connection refused');
    else showConnection('waiting', 'connection lost, trying again');
  });
  source.addEventListener('message', ({ data }) => {
    const event = JSON.parse(data);
    store(event);
    endWelcome(event);
    show(event);
  });
}

function showConnection(state, words) {
  const shown = byId('connection');
  shown.dataset.state = state;
  shown.textContent = words;
}

function showSpent() {
  const spent = totalSpent();
  if (spent === undefined || spent.outputTokens === 0) return;
  const { inputTokens, outputTokens, usd } = spent;
  const tokens = `${inputTokens.toLocaleString()} tokens in, ${outputTokens.toLocaleString()} out`;
  byId('spent').textContent = usd > 0 ? `${tokens}, $${usd.toFixed(usd < 1 ? 4 : 2)}` : tokens;
}

byId('injections').open = matchMedia('(min-width: 64rem)').matches;
setUpSaying();
setUpFires();
setUpHooks();
setUpViews();
onChange(showSpent);
connect();
