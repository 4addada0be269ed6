/** Watch hooks while they run: started, progress, response. */
import { command, Runner } from 'hookline';

const runner = new Runner({ sessionId: 'watched' });

runner.messages.on('message', (message) => {
  const text = 'output' in message ? ` ${JSON.stringify(message.output)}` : '';
  const outcome = 'outcome' in message ? ` ${message.outcome}` : '';
  console.log(`${message.subtype} ${message.hook_name}${outcome}${text}`);
});

runner.on('SessionStart', { name: 'warm-up' }, (_input, _toolUseID, context) => {
  context.progress('half way\n');
  return { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'The cache is warm.' } };
});
runner.on('SessionStart', command('echo checking >&2', { name: 'check' }));

const { additionalContext } = await runner.fire('SessionStart', { source: 'startup' });
console.log('for the model:', additionalContext.join('; '));

await runner.dispose();
