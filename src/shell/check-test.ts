/** `[[ … ]]`: the commands inside it, and whether it evaluates an unknown text. */
import type { TestExpression } from 'unbash';
import { isName } from './arithmetic.js';
import { checkExpression, collect, evaluate, evaluateAsOne, mayMatchPart, type Reading } from './evaluate.js';
import type { ShellWord } from './line.js';
import { UNKNOWN } from './state.js';

type Comparison = Extract<TestExpression, { type: 'TestBinary' }>;

const CALCULATES = /^-(?:eq|ne|lt|le|gt|ge)$/;
const EQUALS = /^(?:={1,2}|!=)$/;

export function checkTest(test: TestExpression, reading: Reading): void {
  switch (test.type) {
    case 'TestLogical':
      for (const operand of test.operands) checkTest(operand, reading);
      break;
    case 'TestNot':
      checkTest(test.operand, reading);
      break;
    case 'TestGroup':
      checkTest(test.expression, reading);
      break;
    case 'TestUnary': {
      const { value } = evaluateAsOne(test.operand, reading);
      if (/^-[vR]$/.test(test.operator) && !isName(value))
        reading.doubt(`${test.operator} evaluates what it is given`);
      if (/^-[efrsx]$/.test(test.operator) && value !== undefined) reading.noteTested(value);
      break;
    }
    case 'TestBinary':
      checkComparison(test, reading);
  }
}

/** A command has printed it: digits, which are no name of a variable. */
function isPrintedNumber(alternatives: readonly (readonly ShellWord[])[]): boolean {
  const words = alternatives.flat();
  return words.length > 0 && words.every(({ sample, listing }) => listing === undefined && sample === '0');
}

function checkComparison({ operator, left, right }: Comparison, reading: Reading): void {
  const [[compared, pattern], used] = collect(
    reading,
    () => [evaluate(left, reading), evaluate(right, reading)] as const,
  );
  if (CALCULATES.test(operator)) {
    for (const [{ text }, words] of [[left, compared] as const, [right, pattern] as const])
      if (!isPrintedNumber(words)) checkExpression(text.replace(/^"(.*)"$/s, '$1'), reading);
  } else if (!EQUALS.test(operator) || mayMatchPart(pattern)) reading.reveal(used);
  if (operator === '=~') reading.state.set('BASH_REMATCH', UNKNOWN);
}
