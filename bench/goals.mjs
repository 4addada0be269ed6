// What hookline wants to reach, each as a number that a case comes to and that is to be no larger.
import { oursIn } from './measure.mjs';

const number = (name) => (result) => result.numbers[name];

export const goals = [
  { case: 'one-approve', what: '1 callback that approves', most: 15, of: '× bare await', value: oursIn },
  { case: 'one-deny', what: '1 callback that denies', most: 15, of: '× bare await', value: oursIn },
  { case: 'ten-approve', what: '10 callbacks that approve', most: 6, of: '× ten bare awaits', value: oursIn },
  { case: 'ten-deny', what: '10 callbacks that deny', most: 6, of: '× ten bare awaits', value: oursIn },
  { case: 'lukewarm', what: 'the 100th fire of a process', most: 20, of: '× bare await', value: oursIn },
  { case: 'no-hook', what: 'no hook registered', most: 1.1, of: '× bare await', value: oursIn },
  { case: 'one-callback', what: '1 callback, 1 KB', most: 11, of: '× bare await', value: oursIn },
  { case: 'ten-callbacks', what: '10 callbacks', most: 5, of: '× ten bare awaits', value: oursIn },
  { case: 'matchers', what: '1000 matchers, one hit', most: 1.1, of: '× 1 matcher', value: oursIn },
  { case: 'payload', what: '1 MB tool input, in process', most: 1.05, of: '× 1 KB', value: oursIn },
  { case: 'watched', what: 'a listener and a signal', most: 20, of: '× bare await', value: oursIn },
  { case: 'concurrency', what: '1000 fires at once, each', most: 1.2, of: '× one', value: oursIn },
  { case: 'command-latency', what: 'command hook', most: 1.05, of: '× raw', value: oursIn },
  { case: 'commands-8', what: '200 command hooks, 8 at a time', most: 1.05, of: '× raw', value: oursIn },
  { case: 'commands-50', what: '200 command hooks, 50 at a time', most: 1.05, of: '× raw', value: oursIn },
  { case: 'trusted-command', what: 'trusted command', most: 1.1, of: '× in code', value: oursIn },
  { case: 'large-host', what: 'command hook, host of 1 GB', most: 0.15, of: '× raw', value: oursIn },
  {
    case: 'large-host',
    what: 'the event loop then stands still',
    most: 0.5,
    of: 'ms',
    value: number('blockedMs'),
  },
  { case: 'much-output', what: '50 MB on stdout, 1 MB allowed', most: 1.3, of: '× 1 MB', value: oursIn },
  { case: 'much-output', what: 'and takes more memory', most: 20, of: 'MB', value: number('moreMB') },
  {
    case: 'tree-timeout',
    what: 'deadline of a process tree, late by',
    most: 15,
    of: 'ms',
    value: number('lateMs'),
  },
  { case: 'tree-timeout', what: 'and leaves processes behind', most: 0, of: '', value: number('left') },
  {
    case: 'injection',
    what: 'injection with 10,000 items waiting',
    most: 1.5,
    of: '× 10 waiting',
    value: oursIn,
  },
  {
    case: 'redis-item',
    what: 'mailbox in Redis, time of the server for an item',
    most: 7,
    of: '× raw streams',
    value: oursIn,
  },
  {
    case: 'redis-empty',
    what: 'mailbox in Redis, a take that finds nothing',
    most: 3,
    of: '× EXISTS',
    value: oursIn,
  },
];
