// Lets only listed hosts be reached: by fetch tools, and by curl, wget, git, ssh, package managers and others in shell
// lines. This file is yours: change the list.
import { ask, codeIn, deny, guard, readCommands, shellLineOf, textsIn } from 'hookline/guard';

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
  /^(curl|curlie|wget2?|https?|httpie|xh|aria2c|axel|fetch|e?links|lynx|w3m|nc|nc\..*|ncat|netcat|socat|telnet|l?ftp|ncftp|tftp|sftp|ssh|ssh-copy-id|ssh-keyscan|sshfs|autossh|scp|rsync|rclone|mosh|ping6?|fping|traceroute|tracepath|mtr|dig|drill|nslookup|host|whois|nmap|masscan|zmap|websocat|grpcurl|siege|firefox|x-www-browser|gnutls-cli|ntpdate|rdate|finger|showmount|rpcinfo|smbclient)$/;
/** The letters of options whose value is no address; it may be attached. */
const VALUE_LETTERS = {
  curl: 'AbcCdDeEFhHKmoPQrtTuUwxXyYz',
  wget: 'aeiBtOQTwDARIXloPU',
  ssh: 'BbcDEeFIiJLlmMoOpQRSWw',
  autossh: 'BbcDEeFIiJLlmMoOpQRSWw',
  scp: 'cDFiJloPSX',
  sftp: 'BbcDFiJloPRSsX',
  rsync: 'efBTM',
  nc: 'iImMOPpqsTVWwXx',
  ncat: 'iImMOPpqsTVWwXx',
  ping: 'cisWwtIMmpQS',
  http: 'aAosp',
  mosh: 'p',
  host: 'ctNWmR',
};
const LONG_VALUES =
  /^--(header|request|data.*|json|output.*|form.*|user|user-agent|cookie.*|max-time|retry.*|write-out|cert|key|cacert|connect-timeout|range|post-data|timeout|tries)$/;
/** Programs that open this machine to others. */
const TUNNELS = /^(ngrok|cloudflared|localtunnel|bore|frpc|chisel|croc|wormhole|tailscale|gotty|ttyd)$/;
/** An option of these names the host. */
const HOST_OPTIONS =
  /^--?(host|hostname|server|servers|keyserver|smtp-server|bootstrap-server|endpoints?|endpoint-url|remote|connect|trusted-host|registry|index-url|extra-index-url|repository|url)$/;
/** Code that opens connections, and the hosts that it may name. */
const CONNECTS =
  /socket|http\.client|urllib|requests\.|httpx|aiohttp|\bfetch\s*\(|require\(['"](node:)?(https?|net|tls|dns|dgram)|IO::Socket|Net::HTTP|net\/http|open-uri|fsockopen|LWP|Invoke-WebRequest|\biwr\b|\/inet\/(tcp|udp)/;
/** Clients of databases: their host is in an option, a setting or a variable. */
const DATABASES =
  /^(psql|pg_\w+|createdb|dropdb|mysql|mysqldump|mysqladmin|mariadb|mongosh?|mongodump|mongorestore|redis-cli|cqlsh|clickhouse-client|sqlcmd|influx|mosquitto_(pub|sub)|ldapsearch|kcat)$/;
/** Names of settings, options and variables for a proxy. */
const PROXY = /^(--)?([\w.]+[._])?((https?|all|ftp|socks)[-_]?)?proxy$/i;
const PACKAGES = /^(npm|npx|pnpm|yarn|bun|bunx)$/;
/** Options that send a request elsewhere than its address says. */
const REDIRECTS =
  /^(-[a-zA-Z]*[xK]|-i|--(input-file|base|proxy|preproxy|socks.*|resolve|connect-to|config|doh-url|unix-socket|interface))(=|$)|^-[xK]./;
/** Their words are texts: an address in one reaches nothing. */
const TEXTS =
  /^(echo|printf|cat|tee|e?grep|fgrep|rg|ag|g?sed|jq|yq|test|\[|head|tail|cut|tr|sort|uniq|wc|diff|ls|mkdir|touch|rm)$/;
const GIT_TEXTS = /^(commit|log|grep|tag|notes|show|diff|blame|shortlog|rev-list|stash|add|merge)$/;
const HUB_TEXTS = /^(pr|issue|release|search)$/;
/** Commands of git whose words name another repository: in others, `v1.0:file` is a file of a commit. */
const REMOTES = /^(clone|fetch|pull|push|ls-remote|remote|submodule|archive|config|request-pull|bundle)$/;

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
    const code = codeIn(command, line);
    const named = [
      ...[...(isText(command) ? [...reads, ...variables] : words), ...code].flatMap(addresses),
      ...code.filter((text) => CONNECTS.test(text)).flatMap(quotedHosts),
      ...words.flatMap((word) => /\/inet\/(?:tcp|udp)\/\d+\/([^/"]+)/.exec(word)?.[1] ?? []),
      ...args.flatMap((arg, at) => optionHost(arg, args[at - 1])),
      ...variables.flatMap(
        (each) => /^DOCKER_HOST=(?:tcp|ssh):\/\/(?:[^@/]+@)?([^:/]+)/.exec(each)?.[1] ?? [],
      ),
      ...imageHosts(program, operands, args),
      ...(/^(go)$/.test(program) && /^(get|install|run)$/.test(operands[0])
        ? operands.slice(1).flatMap(moduleHost)
        : []),
      ...words.flatMap((word) => /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(word)?.[1] ?? []),
      ...(program === 'git' && REMOTES.test(operands[0])
        ? args.flatMap((arg) => remoteHost(arg.replace(/^--remote=/, '')))
        : []),
      ...(/^(npm|pnpm|yarn|bun|npx|svn|cvs|hg|pip3?|uv|sshfs)$/.test(program) ? args.flatMap(userHost) : []),
      ...(program === 'openssl'
        ? args
            .filter(
              (_, index) =>
                /^-(connect|host|proxy|s_client)$/.test(args[index - 1]) || args[index - 1] === 's_client',
            )
            .filter((host) => !host.startsWith('-'))
            .map((host) => hostOf(`http://${host}`))
        : []),
      ...words.flatMap((word, at) => proxyHost(word, words[at - 1])),
      ...(DATABASES.test(program) ? databaseHosts(program, command) : []),
      ...(/^(ssh|scp|sftp|rsync|autossh)$/.test(program)
        ? args.flatMap((arg, at) => sshHosts(arg, args[at - 1]))
        : []),
      ...(CLIENTS.test(program) ? bareHosts(program, args) : []),
    ];
    const refused = named.find((host) => !isAllowed(host));
    if (refused !== undefined) return deny(`\`${text || line}\`: ${refusal(refused)}`);
    if (TUNNELS.test(program) || args.some((arg) => /^localtunnel(@|$)/.test(arg)))
      question = `\`${text}\` opens this machine to others.`;
    if (writes.some((file) => /^\/etc\/(hosts|resolv\.conf)$/.test(file)))
      question = 'This changes where names of hosts lead.';
    if (PACKAGES.test(program) && repositoriesOf(program, args).length > 0)
      question = `\`${text}\` fetches a package from a repository, not from the registry.`;
    if (!CLIENTS.test(program)) continue;
    if (/^(curl|wget2?)$/.test(program) && args.some((arg) => REDIRECTS.test(arg)))
      return deny(`\`${text}\` sends a request through another host.`);
    if (unknown && !operandsAreKnown(program, args))
      question = `Which host \`${text}\` reaches is only known when it runs.`;
  }
  if (
    unreadable !== undefined &&
    /curl|wget|https?:|\bnc\b|ssh|\/dev\/(tcp|udp)|\bcur|\/bin\/\S*[*?[]|\|\s*\S*sh\b|eval|parallel/.test(
      line,
    )
  )
    question ??= `Which hosts this line reaches cannot be determined: ${unreadable}.`;
  return question === undefined ? undefined : ask(question);
}

function isText({ program = '', operands }) {
  if (program === 'git') return GIT_TEXTS.test(operands[0]);
  return program === 'gh' ? HUB_TEXTS.test(operands[0]) : TEXTS.test(program);
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

function databaseHosts(program, { args, variables }) {
  const given = args.flatMap((arg, at) => {
    const [, attached] = /^(?:-h|--host=)(?!elp)(.+)$/s.exec(arg) ?? [];
    return attached ?? (/^(-h|-S|-b|--?host)$/.test(args[at - 1]) ? arg : []);
  });
  const settings = [...args, ...variables].flatMap((text) =>
    [...text.matchAll(/(?:^|[\s?&'"])(?:PGHOST|PGHOSTADDR|MYSQL_HOST|host|hostaddr)=([^\s&'"]+)/g)].map(
      ([, host]) => host,
    ),
  );
  const address = /^(mongo\w*|cqlsh)$/.test(program)
    ? args
        .filter((arg, at) => !/^-/.test(arg) && !/^-/.test(args[at - 1] ?? ''))
        .slice(0, 1)
        .filter((word) => /[./]/.test(word))
    : [];
  return [...given, ...settings, ...address]
    .filter((host) => !/[$`]|:\/\/|^\/|\.js$/.test(host))
    .map((host) => hostOf(`http://${host}`));
}

/** `-o HostName=host` goes to that host, whatever the line names. */
function sshHosts(word, before) {
  const [, named] = /^(?:-o)?\s*(?:hostname|proxyjump)[\s=]+(.+)$/is.exec(word) ?? [];
  const hosts = named ?? /^-J(.+)$/s.exec(word)?.[1] ?? (before === '-J' ? word : '');
  return hosts
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
      ? operands.slice(1, /^(exec|x|dlx|create|init)$/.test(operands[0]) ? 2 : undefined)
      : [];
  return packages.filter((given) => {
    const word = given.replace(/^(@[\w.-]+\/)?[\w.-]+@(?=[a-z]+:|[\w-]+\/)/i, '');
    return /^(github|gitlab|bitbucket|gist):/.test(word) || /^[A-Za-z\d][\w-]*\/[\w.-]+(#.*)?$/.test(word);
  });
}

/** A variable in a header or in a path is common; one that may be the host is not. */
function operandsAreKnown(program, args) {
  const places = addressesAmong(program, args);
  return places.length > 0 && places.every((arg) => !/[$`]/.test(arg) || /^[a-z]+:\/\/[^/$`]+\//i.test(arg));
}

/** The words that are no options and no values of options. */
function addressesAmong(program, args) {
  const letters = VALUE_LETTERS[program.replace(/^(wget|nc).*$/, '$1')] ?? '';
  const takesNext = (arg = '') => {
    if (LONG_VALUES.test(arg)) return true;
    if (!/^-[^-]/.test(arg) || letters === '') return false;
    const at = [...arg.slice(1)].findIndex((letter) => letters.includes(letter));
    return at === arg.length - 2;
  };
  if (program === 'dig') return args.filter((arg) => !/^[-+]/.test(arg)).map((arg) => arg.replace(/^@/, ''));
  const urls = args.flatMap((arg) => /^--url=(.+)$/.exec(arg)?.[1] ?? []);
  return [...args.filter((arg, index) => !/^-/.test(arg) && !takesNext(args[index - 1])), ...urls];
}

/** The hosts of all URLs in a text. */
function addresses(text) {
  return [
    ...text.matchAll(
      /\b(?!(?:s3|gs|file|data|urn|about|chrome|app|jar|res|vscode|unix|fd|npipe|sqlite\d?|workspace|node|npm|jdbc:sqlite)\b)[a-z][a-z\d+.-]*:\/\/[^\s'"<>`|;)]+/gi,
    ),
  ].flatMap(([url]) =>
    /^[a-z\d+.-]+:\/\/\/|:\/\/[$`*\\(]/i.test(url) ? (/[?&]host=/.test(url) ? hostOf(url) : []) : hostOf(url),
  );
}

/** `example.com/path`, `user@example.com:folder`, `example.com 80`. */
function bareHosts(program, args) {
  const operands = addressesAmong(program, args);
  const hosts = /^(scp|rsync|rclone|sshfs)$/.test(program)
    ? operands.flatMap(remoteHost)
    : operands.slice(
        0,
        /^(curl|curlie|wget2?|https?|httpie|xh|dig|host|nslookup)$/.test(program) ? undefined : 1,
      );
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

/** `git@host:path`, where a bare `host:path` may be something else. */
function userHost(word) {
  return /^\S*@[\w.-]+:(?!\/\/)/.test(word) &&
    !/^@?[\w./-]+@(npm|file|link|workspace|portal|patch|github|gitlab|gist|bitbucket):/.test(word)
    ? remoteHost(word.replace(/^:\w+:/, ''))
    : [];
}

/** `--host evil.example`, `--remote=evil.example:x`. */
function optionHost(word, before = '') {
  const [, name, attached] = /^(--[\w-]+)=(.+)$/s.exec(word) ?? [];
  const host =
    name !== undefined && HOST_OPTIONS.test(name) ? attached : HOST_OPTIONS.test(before) ? word : '';
  const isHost =
    /^([\w-]+@)?[\w-]+(\.[\w-]+)+([:/].*)?$/.test(host) &&
    !/\.(json|ya?ml|toml|sock|pem|key|[cm]?[jt]s|git|lock)$/.test(host);
  return isHost ? [hostOf(`http://${host.replace(/^[\w-]+@/, '').replace(/:(?!\d)/, '/')}`)] : [];
}

/** `registry.example/name`: an image that names its registry. */
function imageHosts(program, operands, args) {
  if (!/^(docker|podman|nerdctl|crane|oras)$/.test(program)) return [];
  if (!/^(pull|push|run|create|login|logout)$/.test(operands[0])) return [];
  const isFree = (word) =>
    /^-(-rm|-init|-detach|-interactive|-tty|-privileged|-quiet|[ditqP]+)$/.test(
      args[args.indexOf(word) - 1] ?? '',
    );
  const isOwn = (word) => !/^-/.test(args[args.indexOf(word) - 1] ?? '') || isFree(word);
  const image = operands.slice(1).find(isOwn);
  const pattern =
    operands[0] === 'login' ? /^([\w-]+(?:\.[\w-]+)+(?::\d+)?)/ : /^([\w-]+(?:\.[\w-]+)+(?::\d+)?)\/\S/;
  return [pattern.exec(image ?? '')?.[1]].flatMap((host) =>
    host === undefined ? [] : [hostOf(`http://${host}`)],
  );
}

/** `go get host/path`. */
function moduleHost(word) {
  const [, host] = /^([\w-]+(?:\.[\w-]+)+)\/\S/.exec(word) ?? [];
  return host === undefined || /\.go$/.test(word) ? [] : [host];
}

/** `'evil.example'`, `"evil.example:80"`. */
function quotedHosts(code) {
  return [...code.matchAll(/['"]([\w-]+(?:\.[\w-]+)*\.[a-z]{2,})(?::\d+)?(?:\/[^'"]*)?['"]/gi)]
    .map(([, host = '']) => host.toLowerCase())
    .filter(
      (host) =>
        !/\.(json|ya?ml|toml|txt|md|csv|html?|[cm]?[jt]sx?|py|rb|sh|db|log|xml|pem|key|client|request|parse|error)$/.test(
          host,
        ),
    );
}

/** As a browser reads it, so that `http://2130706433` and `http://a.com@b.com` are what they are. */
function hostOf(url) {
  try {
    const { hostname } = new URL(url.replace(/^[a-z][a-z\d+.-]*:/i, 'http:'));
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
