/** Variables of the shell of which setting alone does something: integers are calculated, exported ones reach programs. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines for a shell.
import { type HostileLine, hostile } from './situations.js';

/** Each is one way to set a variable. */
const waysToSet = (command: string): readonly string[] => [
  `RANDOM='a[$(${command})]'`,
  `OPTIND='a[$(${command})]'`,
  `SRANDOM='a[$(${command})]'`,
  `HISTCMD='a[$(${command})]'`,
  `RANDOM+='a[$(${command})]'`,
  `SECONDS[0]='a[$(${command})]'`,
  `RANDOM=('a[$(${command})]')`,
  `declare SECONDS='a[$(${command})]'`,
  `export RANDOM='a[$(${command})]'`,
  `for OPTIND in 'a[$(${command})]'; do echo; done`,
  `x='a[$(${command})]'; RANDOM=x`,
  `x='a[$(${command})]'; RANDOM=$x`,
  `read RANDOM <<< 'a[$(${command})]'`,
  `printf -v OPTIND %s 'a[$(${command})]'`,
  `{ OPTIND='a[$(${command})]'; }`,
  `for PS4 in '$(${command})'; do set -x; :; done`,
  `printf -v PS4 %s '$(${command})'; set -x; :`,
];

export const VARIABLES: readonly HostileLine[] = [
  ...hostile('default', 'SH-3', waysToSet('touch made')),
  ...hostile('denyRemove', 'SH-3', waysToSet('rm victim')),
  ...hostile('environment', 'PM-21', [
    'LANG=$API_KEY; printenv LANG',
    'PWD=$API_KEY; printenv PWD',
    'HOME=$API_KEY; printenv HOME',
    'TERM=$API_KEY; printenv TERM',
    'LANG+=$API_KEY; printenv LANG',
    'LC_ALL=$API_KEY; ls',
    'for LANG in "$API_KEY"; do printenv LANG; done',
    'x=$API_KEY; LANG=$x; printenv LANG',
    'printf -v LANG %s "$API_KEY"; printenv LANG',
    'RANDOM=$API_KEY',
    'RANDOM=API_KEY',
    'for OPTIND in "$API_KEY"; do :; done',
  ]),
];
