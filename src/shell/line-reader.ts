/** Walks a parsed line in execution order and lists its commands. */
import { posix } from 'node:path';
import type * as Ast from 'unbash';
import { parse } from 'unbash';
import { isName, namesSetBy } from './arithmetic.js';
import { givenTo } from './assigned-variables.js';
import { readAndOr, readIf } from './branches.js';
import { applyBuiltin } from './builtins.js';
import type { Carried } from './carrying.js';
import { checkTest } from './check-test.js';
import { feeds, readAssignment, readChoices, readRedirects, variants } from './command-parts.js';
import {
  checkExpression,
  collect,
  evaluate,
  evaluateList,
  type Inside,
  type Reading,
  revealMatch,
} from './evaluate.js';
import type {
  Output,
  ShellAssignment,
  ShellCommand,
  ShellContext,
  ShellRedirect,
  ShellWord,
} from './line.js';
import { countAlternatives, enterShell, isOnePipeline } from './new-shell.js';
import { printedBy } from './outputs.js';
import { setVariable } from './set-variable.js';
import { OUTPUT, ShellState, SOME_NUMBER, UNKNOWN, type Values } from './state.js';
import { withNumbers } from './substitutions.js';
import { applyCall, checkSurroundings } from './surroundings.js';
import { carriedChecked } from './unknown-options.js';

const [MAX_DEPTH, MAX_LOOPS, MAX_INNER_LINES, MAX_CARRIERS] = [40, 5, 6, 16];
const [MAX_STATEMENTS, MAX_COMMANDS] = [20_000, 500];
const [MAX_WORDS, MAX_ASSIGNMENTS] = [1_500, 100];

export class LineReader implements Reading {
  readonly context: ShellContext;
  readonly commands: ShellCommand[] = [];
  readonly tested: string[] = [];
  unreadable: string | undefined;
  unlisted: string | undefined;
  repeats = false;
  /** Of the whole line; while a word is evaluated, those of the word. */
  used = new Set<string>();
  readonly environment = this.used;
  readonly revealed = new Set<string>();
  readonly stored: readonly string[];
  state: ShellState;
  #source: string;
  #depth = 0;
  #loops = 0;
  #statements = 0;
  #innerLines = 0;
  #isFed = false;
  /** What the command before in the pipeline prints. */
  #input: Output | undefined;
  /** What the last simple command or pipeline prints. */
  #printed: Output | undefined;
  /** `exec < file` has changed the input of the shell itself. */
  #hasOtherInput = false;
  /** The command that runs what is being read. */
  #carrier: Pick<ShellCommand, 'carrier' | 'wrapped'> = {};

  constructor(source: string, context: ShellContext, stored: readonly string[]) {
    this.#source = source;
    this.stored = stored;
    this.context = context;
    this.state = new ShellState(context.cwd === undefined ? undefined : [context.cwd]);
  }

  giveUp(why: string): void {
    this.unreadable ??= why;
    this.unlisted ??= why;
  }

  doubt(why: string): void {
    this.unreadable ??= why;
  }

  reveal(names: Iterable<string>): void {
    for (const name of names) this.revealed.add(name);
  }

  /** Aborts reading. */
  #stop(why: string): never {
    throw new Error(why);
  }

  noteTested(path: string): void {
    this.tested.push(...(this.state.folders ?? []).map((folder) => posix.resolve(folder, path)));
  }

  read(script: Ast.ParsedScript | undefined): void {
    if (script === undefined || this.#depth > MAX_DEPTH) this.#stop('it is too deeply nested');
    for (const { message } of script.errors ?? []) this.giveUp(`it is not complete (${message})`);
    const source = this.#source;
    this.#source = script.source ?? source;
    this.#depth += 1;
    this.#readAll(script.commands);
    this.#depth -= 1;
    this.#source = source;
  }

  inside(script: Ast.ParsedScript | undefined, isFed = false): Inside {
    const before = this.commands.length;
    const outer = this.used;
    // What its commands print is theirs.
    this.used = this.environment;
    this.#withInput(this.#isFed || isFed, () => this.#inSubshell(() => this.read(script)));
    this.used = outer;
    const commands = this.commands.slice(before);
    const count = countAlternatives(script);
    return {
      alternatives: commands.length === count ? commands : [],
      output: isOnePipeline(script) ? this.#printed : undefined,
    };
  }

  #readAll(statements: readonly Ast.Statement[]): void {
    for (const { command, background } of statements) {
      if (++this.#statements > MAX_STATEMENTS) this.#stop('it has too many commands');
      if (background) {
        this.repeats = true;
        this.#inSubshell(() => this.#node(command));
      } else this.#node(command);
      this.state.settle();
    }
  }

  #list({ commands }: Ast.CompoundList): void {
    if (++this.#depth > MAX_DEPTH) this.#stop('it is too deeply nested');
    this.#readAll(commands);
    this.#depth -= 1;
  }

  #node(node: Ast.CommandNode | Ast.Pipeline | Ast.AndOr | Ast.CompoundList): unknown {
    switch (node.type) {
      case 'Command':
        return this.#command(node);
      case 'CompoundList':
        return this.#list(node);
      case 'AndOr':
        return readAndOr(node, this, (each) => this.#node(each));
      case 'Pipeline':
        return this.#pipeline(node);
      case 'Redirected':
        this.#record([], [], readRedirects(node.redirects, this, true));
        return this.#withInput(
          this.#isFed || node.redirects.some(feeds),
          () => this.#node(node.command),
          node.redirects.some(feeds) ? undefined : this.#input,
        );
      case 'BraceGroup':
        return this.#list(node.body);
      case 'Subshell':
        return this.#inSubshell(() => this.#list(node.body));
      case 'If':
        return readIf(node, this, (list) => this.#list(list));
      case 'Case':
        return this.#case(node);
      case 'While':
        this.#loop(() => {
          this.#list(node.clause);
          this.#list(node.body);
        });
        return undefined;
      case 'For':
      case 'Select':
        return this.#for(node);
      case 'ArithmeticFor':
        return this.#arithmeticFor(node);
      case 'TestCommand':
        return checkTest(node.expression, this);
      case 'ArithmeticCommand':
        this.calculate(withNumbers(node.body, node.expression, this));
        return undefined;
      case 'Function':
        return this.#function(node.name, () => this.#node(node.body));
      case 'Coproc':
        this.repeats = true;
        return this.#withInput(true, () => this.#inSubshell(() => this.#node(node.body)));
    }
  }

  #pipeline({ commands, operators }: Ast.Pipeline): void {
    let input = this.#input;
    for (const [index, command] of commands.entries()) {
      const before = this.state.copy();
      this.#withInput(this.#isFed || index > 0, () => this.#node(command), input);
      // Of `|&`, errors are a part.
      this.#printed =
        command.type === 'Command' && (operators[index] ?? '|') === '|' ? this.#printed : undefined;
      input = this.#printed;
      // The last command of a pipeline may run in the shell itself.
      if (commands.length === 1) continue;
      this.state.settle();
      this.state.join(before);
    }
  }

  #case({ word, items }: Ast.Case): void {
    const [, compared] = collect(this, () => evaluate(word, this));
    const before = this.state.copy();
    for (const { pattern, body } of items) {
      for (const each of pattern) revealMatch(each, compared, this);
      this.#list(body);
      // The next branch may run alone or after this one.
      this.state.join(before);
    }
  }

  /** Reads the body twice: the second iteration sees what the first one has changed. */
  #loop(body: () => void): void {
    this.repeats = true;
    if (this.#loops === MAX_LOOPS) this.#stop('it is too deeply nested');
    this.#loops += 1;
    const before = this.state.copy();
    const count = this.commands.length;
    body();
    this.commands.length = count;
    this.state.join(before);
    this.state.widen(before);
    const again = this.state.copy();
    body();
    this.state.join(again);
    this.#loops -= 1;
  }

  #for(node: Ast.For | Ast.Select): void {
    const name = node.name.value;
    if (!isName(name)) {
      this.giveUp('the variable of a loop has no plain name');
      return;
    }
    const [values, used] = collect(
      this,
      () => node.wordlist?.flatMap((word) => evaluateList(word, this)) ?? UNKNOWN,
    );
    if (node.type === 'Select') {
      // It prints the list.
      this.reveal(used);
      this.state.set('REPLY', OUTPUT);
    }
    this.#loop(() => {
      this.assign(name, values);
      this.#list(node.body);
    });
  }

  #arithmeticFor({ initialize, test, update, body }: Ast.ArithmeticFor): void {
    const parts = [initialize, test, update];
    const [first, ...rest] = parts.map((part) =>
      part ? withNumbers(this.#source.slice(part.pos, part.end), part, this) : '',
    );
    this.calculate(first ?? '');
    this.#loop(() => {
      for (const text of rest) this.calculate(text);
      this.#list(body);
    });
  }

  calculate(text: string): void {
    checkExpression(text, this);
    for (const name of namesSetBy(text)) this.assign(name, SOME_NUMBER);
  }

  assign(name: string, values: Values): void {
    setVariable(name, values, this);
    this.#record([], [{ name, raw: name, value: undefined }], []);
  }

  /** Reads the body as if it ran now, with unknown variables in an unknown directory. */
  #function(name: Ast.Word, body: () => void): void {
    this.repeats = true;
    this.#inSubshell(() => {
      this.state.forgetEverything();
      body();
    });
    this.state.functions.add(name.value);
  }

  /** In a subshell: what it sets is not visible later. */
  #inSubshell(read: () => void): void {
    const outer = this.state;
    this.state = outer.copy();
    read();
    this.state = outer;
  }

  #withInput(isFed: boolean, read: () => void, input?: Output): void {
    const outer = { isFed: this.#isFed, input: this.#input };
    this.#isFed = isFed;
    this.#input = input;
    read();
    this.#isFed = outer.isFed;
    this.#input = outer.input;
  }

  #command({ name, prefix, suffix }: Ast.Command): void {
    const assigned = prefix.flatMap((part) => (part.type === 'Assignment' ? [part] : []));
    const count = prefix.length + suffix.length;
    if (count > MAX_WORDS || assigned.length > MAX_ASSIGNMENTS) this.#stop('it has too many words');
    const redirected = [...prefix, ...suffix].flatMap((part) =>
      part.type === 'Assignment' || part.type === 'Word' ? [] : [part],
    );
    const assignments = assigned.map((each) => readAssignment(each, name === undefined, this));
    const choices = readChoices(name, suffix, this);
    const redirects = readRedirects(redirected, this);
    const { folders } = this.state;
    let reached: readonly string[] | undefined = [];
    const all = variants(choices);
    for (const words of all) {
      this.state.folders = folders;
      const command = this.#record(words, assignments, redirects, redirected.some(feeds));
      this.#printed = command && all.length === 1 ? printedBy(command) : undefined;
      reached = reached && this.state.folders && [...new Set([...reached, ...this.state.folders])];
    }
    this.state.folders = reached;
  }

  #record(
    words: readonly ShellWord[],
    assignments: readonly ShellAssignment[],
    redirects: readonly ShellRedirect[],
    isFed = false,
  ): ShellCommand | undefined {
    if (words.length + assignments.length + redirects.length === 0) return undefined;
    if (this.commands.length > MAX_COMMANDS) this.#stop('it has too many commands');
    const piped = this.#isFed || isFed || this.#hasOtherInput;
    const input = isFed || this.#hasOtherInput ? undefined : this.#input;
    const { folders } = this.state;
    return this.#run(
      { words, assignments, redirects, folders, piped, ...(input && { input }), ...this.#carrier },
      0,
    );
  }

  #run(given: ShellCommand, carriers: number): ShellCommand {
    const [name] = given.words;
    const calls = name?.value !== undefined && this.state.functions.has(name.value);
    const searched = this.state.valuesOf('PATH')?.map(({ text }) => text);
    const command = { ...given, ...(calls && { calls }), ...(searched && { searched }) };
    this.commands.push(command);
    this.#runCarried(command, givenTo(command), carriers);
    if (name === undefined) return command;
    if (name.value === undefined || name.globs || name.splits) {
      this.doubt(`which command \`${name.raw}\` stands for is only known when it runs`);
      return command;
    }
    if (calls) applyCall(command, this);
    else if (checkSurroundings(command, name.value, this)) this.#hasOtherInput = true;
    if (calls) return command;
    applyBuiltin(command, this);
    if (carriers === MAX_CARRIERS) this.giveUp('too many programs are chained before a command');
    else this.#runCarried(command, carriedChecked(command, this), carriers);
    return command;
  }

  #runCarried(command: ShellCommand, all: readonly Carried[], carriers: number): void {
    const piped = command.piped === true;
    // The command it runs reads its input.
    const redirects = command.redirects.filter(({ operator }) => operator.startsWith('<'));
    for (const carried of all) {
      const link = { carrier: command, wrapped: carried.wrapped === true };
      if ('unknown' in carried) this.doubt(carried.unknown);
      else if ('words' in carried) {
        const { words, assignments = [], fed = false, feed } = carried;
        const { folders } = this.state;
        const given = { words, assignments, redirects, folders, fed, piped, ...(feed && { feed }) };
        this.#run({ ...given, ...link }, carriers + 1);
      } else
        this.#withInput(this.#isFed || piped || redirects.length > 0, () =>
          this.#readCarried(carried.line, link, carried.here === true),
        );
    }
  }

  /** A line that a command passes to a shell: to this one, or to a new one, which does not have our variables. */
  #readCarried(line: string, link: Pick<ShellCommand, 'carrier' | 'wrapped'>, here: boolean): void {
    if (this.#innerLines === MAX_INNER_LINES) this.#stop('it is too deeply nested');
    this.#innerLines += 1;
    const outer = { carrier: this.#carrier, source: this.#source };
    this.#carrier = link;
    this.#source = line;
    const read = (): void => {
      if (!here) enterShell(this.state, link.carrier);
      this.read(parse(line));
    };
    if (here) read();
    else this.#inSubshell(read);
    this.#innerLines -= 1;
    this.#carrier = outer.carrier;
    this.#source = outer.source;
  }
}
