/** Draws examples/tour.svg from what the tour really prints: `npm run pictures`. */
import { writeFileSync } from 'node:fs';
import { execa } from 'execa';

const root = new URL('../../', import.meta.url);

const LINE = 24;
const LEFT = 28;
const TOP = 64;
const WIDTH = 860;

/** One colour for each who speaks; readable on the dark ground. */
const COLOURS: Readonly<Record<string, string>> = {
  you: '#ffd479',
  agent: '#e8eaed',
  tool: '#7fb4ff',
  result: '#8f98a3',
  refused: '#ff8a80',
  hook: '#c79bff',
  end: '#7ee2a8',
  file: '#7ee2a8',
};

export function drawTour(output: string): string {
  const lines = output.trimEnd().split('\n');
  const height = TOP + lines.length * LINE + 20;
  const rows = lines.map((line, i) => {
    const [who = ''] = line.split(' ');
    const said = escapeXml(line.slice(9));
    const y = TOP + i * LINE;
    const colour = COLOURS[who] ?? '#e8eaed';
    return `<text y="${y}"><tspan x="${LEFT}" fill="#8f98a3">${who}</tspan><tspan x="${LEFT + 92}" fill="${colour}">${said}</tspan></text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="What npm start prints: a hook refuses a tool, a person's message arrives in the middle of the work, and another hook keeps the agent from stopping.">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}</style>
<rect width="${WIDTH}" height="${height}" rx="10" fill="#16181d"/>
<g fill="#3a3f4a"><circle cx="30" cy="24" r="6"/><circle cx="50" cy="24" r="6"/><circle cx="70" cy="24" r="6"/></g>
<text x="${WIDTH / 2}" y="29" fill="#8f98a3" text-anchor="middle">npm start</text>
${rows.join('\n')}
</svg>
`;
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { stdout } = await execa('tsx', ['examples/00-tour.ts'], { cwd: root, preferLocal: true });
  writeFileSync(new URL('examples/tour.svg', root), drawTour(stdout));
}
