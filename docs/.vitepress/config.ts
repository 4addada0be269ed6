/** The documentation site: guides from `docs/`, the contract and the API reference from `spec/`. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where the repository is, once `npm run repository` has said so. */
const repository: string | undefined = JSON.parse(
  readFileSync(`${root}package.json`, 'utf8'),
).homepage?.replace(/#.*/, '');

/** A sidebar group whose entries are `[file, title]` of one folder. */
const group = (text: string, folder: string, pages: readonly (readonly [string, string])[]) => ({
  text,
  // The group of the page is open; the others leave room for it.
  collapsed: text !== 'Start' && text !== 'Reference',
  // The link of an index has to be the address that the page is served at, or nothing is marked as open.
  items: pages.map(([page, title]) => ({
    text: title,
    link: `/docs/${folder}/${page === 'index' ? '' : page}`,
  })),
});

const pagesOf = (folder: string): DefaultTheme.SidebarItem[] =>
  readdirSync(`${root}${folder}`)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => name.replace(/\.md$/, ''))
    .map((name) => ({ text: name, link: `/${folder}/${name}` }));

const guide: DefaultTheme.SidebarItem[] = [
  group('Start', 'start', [
    ['typescript', 'Your first hook in TypeScript'],
    ['shell', 'Your first hook in shell'],
    ['your-agent', 'Hooks in your own agent'],
  ]),
  group('Frameworks', 'frameworks', [
    ['index', 'Overview'],
    ['ai-sdk', 'AI SDK'],
    ['openai-agents', 'OpenAI Agents'],
    ['langchain', 'LangChain'],
    ['mastra', 'Mastra'],
    ['strands', 'Strands'],
    ['anthropic', 'Anthropic SDK'],
    ['openai', 'OpenAI SDK'],
    ['claude-agent-sdk', 'Claude Agent SDK'],
    ['mcp', 'MCP'],
    ['your-own-loop', 'Your own loop'],
  ]),
  group('Concepts', 'concepts', [
    ['events', 'Events'],
    ['matchers', 'Matchers'],
    ['outcome', 'Answers and outcomes'],
    ['order', 'Order and deadlines'],
    ['failure', 'When a hook fails'],
    ['trust', 'Trust'],
    ['injection', 'Injection'],
    ['delivery', 'Delivery guarantees'],
    ['guarantees', 'Guarantees and limits'],
  ]),
  group('How to', 'how-to', [
    ['block-force-pushes', 'Block force pushes'],
    ['protect-secrets', 'Protect secrets'],
    ['rewrite-input', 'Rewrite a tool’s input'],
    ['format-after-edit', 'Format after an edit'],
    ['tests-before-stop', 'Run tests before the agent stops'],
    ['ask-a-person', 'Ask a person'],
    ['cap-cost', 'Cap turns and cost'],
    ['redact-output', 'Redact output'],
    ['talk-to-a-running-agent', 'Talk to a running agent'],
    ['several-processes', 'Several processes and hosts'],
    ['subagents', 'Hooks for subagents'],
    ['run-a-team', 'Run a team of agents'],
    ['try-hooks-in-a-terminal', 'Try your hooks in a terminal'],
    ['test-hooks', 'Test hooks in CI'],
    ['one-policy-for-a-team', 'One policy for a team'],
    ['watch-on-the-page', 'Watch on the page'],
    ['opentelemetry', 'Watch with OpenTelemetry'],
  ]),
  group('Ready guards', 'guards', [
    ['index', 'Overview'],
    ['secrets', 'secrets'],
    ['destructive-shell', 'destructive-shell'],
    ['git', 'git'],
    ['protected-paths', 'protected-paths'],
    ['network-allow-list', 'network-allow-list'],
    ['approval', 'approval'],
    ['cost-cap', 'cost-cap'],
    ['format-after-edit', 'format-after-edit'],
    ['checks-before-stop', 'checks-before-stop'],
    ['audit-log', 'audit-log'],
    ['injection-marks', 'injection-marks'],
  ]),
  group('Other agents', 'hosts', [
    ['index', 'Overview'],
    ['gemini', 'Gemini CLI'],
    ['codex', 'Codex CLI'],
    ['qwen', 'Qwen Code'],
    ['copilot', 'GitHub Copilot CLI'],
    ['opencode', 'opencode'],
    ['cline', 'Cline'],
    ['cursor', 'Cursor'],
    ['factory', 'Factory droid'],
    ['windsurf', 'Windsurf'],
    ['letta', 'Letta Code'],
    ['openhands', 'OpenHands'],
    ['kimi', 'Kimi Code CLI'],
    ['iflow', 'iFlow CLI'],
    ['abacus', 'Abacus AI CLI'],
    ['firebender', 'Firebender'],
  ]),
  group('Coming from', 'coming-from', [
    ['claude-code', 'Claude Code'],
    ['massgen', 'MassGen'],
    ['gemini-cli', 'Gemini CLI'],
    ['codex', 'Codex'],
  ]),
  group('More', 'more', [
    ['performance', 'Performance'],
    ['security', 'Security model'],
    ['faq', 'FAQ and troubleshooting'],
  ]),
];

const reference: DefaultTheme.SidebarItem[] = [
  group('Reference', 'reference', [
    ['api', 'API by topic'],
    ['events', 'Events, inputs and answers'],
    ['configuration', 'Configuration files'],
    ['cli', 'Command line'],
    ['errors', 'Error codes'],
    ['messages', 'Messages'],
    ['environment', 'Environment variables'],
  ]),
  { text: 'API by entry', collapsed: true, items: pagesOf('spec/api') },
  {
    text: 'Contract',
    collapsed: true,
    items: [{ text: 'Overview', link: '/spec/README' }, ...pagesOf('spec')],
  },
];

export default defineConfig({
  title: 'hookline',
  description: 'The hook system for agents written in TypeScript.',
  // Pages keep the paths they have in the repository, so links work in both places.
  srcDir: '..',
  srcExclude: ['*.md', '{bench,dist,examples,src,test}/**', 'spec/schemas/**', 'spec/vectors/**', '.*/**'],
  rewrites: { 'docs/index.md': 'index.md' },
  head: [
    [
      'link',
      {
        rel: 'icon',
        href: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M10 2v7a3 3 0 1 1-6 0' fill='none' stroke='%230d9488' stroke-width='2'/%3E%3C/svg%3E",
      },
    ],
  ],
  cleanUrls: true,
  lastUpdated: false,
  vite: {
    build: { chunkSizeWarningLimit: 2000 },
    plugins: [
      {
        // The pages are outside of this folder, where the packages are.
        name: 'packages-of-docs',
        enforce: 'pre',
        resolveId(id, importer, { ssr }) {
          if (!/^vue(\/|$)/.test(id)) return null;
          if (ssr) return { id, external: true };
          return importer?.endsWith('.md')
            ? this.resolve(id, fileURLToPath(import.meta.url), { skipSelf: true })
            : null;
        },
      },
    ],
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/docs/start/typescript', activeMatch: '^/docs/(?!reference)' },
      { text: 'Reference', link: '/docs/reference/api', activeMatch: '^/(docs/reference|spec)' },
    ],
    sidebar: { '/docs/reference/': reference, '/spec/': reference, '/docs/': guide },
    search: {
      provider: 'local',
      // Guides answer questions; the contract is for those who look for a rule.
      options: {
        miniSearch: {
          searchOptions: {
            boostDocument: (id: string) => (id.startsWith('/docs/') ? 4 : 1),
            // Words of a question that say nothing about its answer.
            processTerm: (term: string) =>
              /^(an?|and|are|as|at|be|by|can|do(es)?|for|from|how|i|if|in|is|it|its|my|of|on|or|our|the|this|to|we|what|when|where|which|who|why|with|you|your)$/i.test(
                term,
              )
                ? null
                : term.toLowerCase(),
          },
        },
      },
    },
    outline: [2, 3],
    ...(repository !== undefined && { socialLinks: [{ icon: 'github', link: repository }] }),
  },
  markdown: {
    // Examples are files of the repository, not of the site.
    preConfig(md) {
      md.core.ruler.push('links-to-examples', ({ tokens }) => {
        for (const link of tokens.flatMap(({ children }) => children ?? [])) {
          const [, path] = /^(?:\.\.\/)*(examples\/.*)$/.exec(link.attrGet('href') ?? '') ?? [];
          if (path === undefined) continue;
          if (repository === undefined) link.attrs = null;
          else link.attrSet('href', `${repository}/tree/main/${path}`);
        }
      });
    },
    // A fence that names its file, ```ts [guard.ts], shows the name above the code.
    config(md) {
      const fence = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, index, options, env, self) => {
        const file = /\[(.+)\]/.exec(tokens[index]?.info ?? '')?.[1];
        const html = fence?.(tokens, index, options, env, self) ?? '';
        return file === undefined ? html : `<p class="code-file">${md.utils.escapeHtml(file)}</p>${html}`;
      };
    },
  },
});
