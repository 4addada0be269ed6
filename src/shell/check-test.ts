/** `[[ … ]]`: the commands inside it, and whether it evaluates an unknown text. */
import type { TestExpression } from 'unbash';
import { isName } from './arithmetic.js';
import { checkExpression, evaluate, evaluateAsOne, type Reading } from './evaluate.js';
import { UNKNOWN } from './state.js';

const CALCULATES = /^-(?:eq|ne|lt|le|gt|ge)$/;

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
      for (const operand of [test.left, test.right]) {
        evaluate(operand, reading);
        if (CALCULATES.test(test.operator)) checkExpression(operand.text.replace(/^"(.*)"$/s, '$1'), reading);
      }
      if (test.operator === '=~') reading.state.set('BASH_REMATCH', UNKNOWN);
  }
}
