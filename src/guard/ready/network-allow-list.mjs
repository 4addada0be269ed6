// Lets only listed hosts be reached: by fetch tools, and by curl, wget, git, ssh, package managers and others in shell
// lines. This file is yours: change the list.
import { ask, deny, guard, readCommands, shellLineOf, textsIn } from 'hookline/guard';

/** Host names; `*.example.com` is every host below it. */
const ALLOWED = [
  ...['localhost', '127.0.0.1', '[::1]', '0.0.0.0'],
  ...[
    'github.com',
    '*.github.com',
    '*.githubusercontent.com',
    'registry.npmjs.org',
    'pypi.org',
    'files.pythonhosted.org',
  ],
  ...['crates.io', 'static.crates.io', 'index.crates.io', 'proxy.golang.org', 'sum.golang.org'],
];
/** Tools without an address that search the web. */
const SEARCH_TOOLS = /^(WebSearch|web_search|google_web_search)$/;
const ALLOW_SEARCH = true;

/** Every operand of these is an address, or may be one. */
const CLIENTS =
  /^(curl|wget|https?|xh|aria2c|fetch|lynx|links|w3m|nc|ncat|netcat|socat|telnet|ftp|sftp|ssh|scp|rsync|rclone|mosh|ping|dig|nslookup|host|whois|nmap|websocat|grpcurl)$/;
/** Options whose value is no address. */
const NO_ADDRESS =
  /^(-[a-zA-Z]*[HXdoFuAbceTmwrEprli]|--(header|request|data.*|json|output.*|form.*|user|user-agent|cookie.*|max-time|retry.*|write-out|cert|key|cacert|connect-timeout|range|post-data|timeout|tries))$/;
/** Clients of databases: their host is in an option, a setting or a variable. */
const DATABASES =
  /^(psql|pg_\w+|createdb|dropdb|mysql|mysqldump|mysqladmin|mariadb|mongosh?|mongodump|mongorestore|redis-cli|cqlsh|clickhouse-client)$/;
/** Names of settings, options and variables for a proxy. */
const PROXY = /^(--)?([\w.]+[._])?((https?|all|ftp|socks)[-_]?)?proxy$/i;
const PACKAGES = /^(npm|npx|pnpm|yarn|bun|bunx)$/;
/** Options that send a request elsewhere than its address says. */
const REDIRECTS =
  /^(-[a-zA-Z]*[xK]|--(proxy|preproxy|socks.*|resolve|connect-to|config|doh-url|unix-socket|interface))(=|$)/;

await guard((input) => {
  const { tool_name = '' } = input;
  const line = shellLineOf(input);
  if (line !== undefined) return judgeLine(line, input.cwd);
  if (SEARCH_TOOLS.test(tool_name) && !ALLOW_SEARCH) return deny('Searching the web is not allowed here.');
  const refused = textsIn(input.tool_input)
    .flatMap(addresses)
    .find((host) => !isAllowed(host));
  return refused === undefined ? undefined : deny(refusal(refused));
});

function judgeLine(line, cwd) {
  const { commands, unreadable } = readCommands(line, cwd);
  let question;
  for (const command of commands) {
    const { program = '', args, operands, reads, writes, text, unknown, variables } = command;
    const words = [...args, ...reads, ...writes, ...variables];
    const named = [
      ...words.flatMap(addresses),
      ...words.flatMap((word) => /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(word)?.[1] ?? []),
      ...(program === 'git' ? operands.flatMap(remoteHost) : []),
      ...(program === 'openssl'
        ? args.filter((_, index) => args[index - 1] === '-connect').map((host) => hostOf(`http://${host}`))
        : []),
      ...words.flatMap((word, at) => proxyHost(word, words[at - 1])),
      ...(DATABASES.test(program) ? databaseHosts(program, command) : []),
      ...(/^(ssh|scp|sftp|rsync|autossh)$/.test(program) ? args.flatMap(sshHosts) : []),
      ...(CLIENTS.test(program) ? bareHosts(program, args) : []),
    ];
    const refused = named.find((host) => !isAllowed(host));
    if (refused !== undefined) return deny(`\`${text || line}\`: ${refusal(refused)}`);
    if (PACKAGES.test(program) && repositoriesOf(program, args).length > 0)
      question = `\`${text}\` fetches a package from a repository, not from the registry.`;
    if (!CLIENTS.test(program)) continue;
    if (/^(curl|wget)$/.test(program) && args.some((arg) => REDIRECTS.test(arg)))
      return deny(`\`${text}\` sends a request through another host.`);
    if (unknown && !operandsAreKnown(args))
      question = `Which host \`${text}\` reaches is only known when it runs.`;
  }
  if (unreadable !== undefined && /curl|wget|https?:|\bnc\b|ssh|\/dev\/(tcp|udp)/.test(line))
    question ??= `Which hosts this line reaches cannot be determined: ${unreadable}.`;
  return question === undefined ? undefined : ask(question);
}

/** `https_proxy=host`, `--proxy host`, `http.proxy=host`. */
function proxyHost(word, before = '') {
  const [name = '', value = ''] = word.split(/=(.*)/s);
  const isOwn = value !== '' && PROXY.test(name);
  const host = isOwn ? value : PROXY.test(before) && !/^-/.test(word) ? word : '';
  const isNone =
    host === '' || /[$`]/.test(host) || /^(-*no_?proxy|true|false|null)$/i.test(isOwn ? name : host);
  return isNone ? [] : [hostOf(/^[a-z\d+]+:\/\//i.test(host) ? host : `http://${host}`)];
}

function databaseHosts(program, { args, operands, variables }) {
  const given = args.flatMap((arg, at) => {
    const [, attached] = /^(?:-h|--host=)(?!elp)(.+)$/s.exec(arg) ?? [];
    return attached ?? (/^(-h|--host)$/.test(args[at - 1]) ? arg : []);
  });
  const settings = [...args, ...variables].flatMap((text) =>
    [...text.matchAll(/(?:^|[\s?&'"])(?:PGHOST|PGHOSTADDR|MYSQL_HOST|host|hostaddr)=([^\s&'"]+)/g)].map(
      ([, host]) => host,
    ),
  );
  const address = /^mongo/.test(program) ? operands.slice(0, 1).filter((word) => /[./]/.test(word)) : [];
  return [...given, ...settings, ...address]
    .filter((host) => !/[$`]|:\/\/|^\/|\.js$/.test(host))
    .map((host) => hostOf(`http://${host}`));
}

/** `-o HostName=host` goes to that host, whatever the line names. */
function sshHosts(word) {
  const [, hosts] = /^(?:-o)?\s*(?:hostname|proxyjump)[\s=]+(.+)$/is.exec(word) ?? [];
  return (hosts ?? '')
    .split(',')
    .filter((host) => !/^(none)?$/i.test(host.trim()))
    .map((host) => hostOf(`http://${host.trim()}`));
}

/** `npx github:owner/name`, `npm install owner/name`. */
function repositoriesOf(program, args) {
  const isRunner = /^(npx|bunx)$/.test(program);
  const operands = args.filter((arg) => !arg.startsWith('-'));
  const packages = isRunner
    ? [operands[0] ?? '', ...args.filter((_, at) => /^(-p|--package)$/.test(args[at - 1]))]
    : /^(i|install|add|exec|x|dlx|create|init)$/.test(operands[0])
      ? operands.slice(1)
      : [];
  return packages.filter(
    (word) => /^(github|gitlab|bitbucket|gist):/.test(word) || /^[A-Za-z\d][\w-]*\/[\w.-]+(#.*)?$/.test(word),
  );
}

/** A variable in a header or in a path is common; one that may be the host is not. */
function operandsAreKnown(args) {
  const places = args.filter((arg, index) => !arg.startsWith('-') && !NO_ADDRESS.test(args[index - 1] ?? ''));
  return places.length > 0 && places.every((arg) => !/[$`]/.test(arg) || /^[a-z]+:\/\/[^/$`]+\//i.test(arg));
}

/** The hosts of all URLs in a text. */
function addresses(text) {
  return [
    ...text.matchAll(
      /\b(?:https?|wss?|ftps?|ssh|git|git\+\w+|sftp|rsync|ldaps?|gopher|telnet|dict|tftp|mongodb(?:\+srv)?|postgres(?:ql)?|mysqlx?|mariadb|rediss?|amqps?|mqtts?|nats|clickhouse):\/\/[^\s'"<>`|;)]+/gi,
    ),
  ].map(([url]) => hostOf(url));
}

/** `example.com/path`, `user@example.com:folder`, `example.com 80`. */
function bareHosts(program, args) {
  const operands = args.filter((arg, index) => !/^-/.test(arg) && !NO_ADDRESS.test(args[index - 1] ?? ''));
  const hosts = /^(scp|rsync|rclone)$/.test(program)
    ? operands.flatMap(remoteHost)
    : operands.slice(0, /^(curl|wget|https?|xh)$/.test(program) ? undefined : 1);
  return hosts
    .filter((word) => !/:\/\/|[$`]/.test(word) && /^[^\s/]*[\w\]]/.test(word))
    .map((word) =>
      hostOf(
        `http://${word.replace(/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/, 'localhost').replace(/^:/, 'localhost:')}`,
      ),
    );
}

/** `git@host:path` and `host:path`. */
function remoteHost(word) {
  const host = /^(?:[\w.-]+@)?([\w.-]+\.[\w-]+|\w+@[\w-]+):(?!\/\/)/.exec(word)?.[1];
  return host === undefined ? [] : [host.replace(/^.*@/, '')];
}

/** As a browser reads it, so that `http://2130706433` and `http://a.com@b.com` are what they are. */
function hostOf(url) {
  try {
    const { hostname } = new URL(url.replace(/^[a-z+]+:/i, 'http:'));
    return hostname.toLowerCase().replace(/\.$/, '');
  } catch {
    return url;
  }
}

function isAllowed(host) {
  return ALLOWED.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name));
}

function refusal(host) {
  return `the host ${host} is not on the list of allowed hosts.`;
}
