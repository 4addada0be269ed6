/** Reads the configuration of a git repository, and says which of its settings can run a program. */

import { matchesWildcard } from '../base/text/wildcard.js';

export interface GitSetting {
  /** In lower case, because git ignores case. */
  readonly name: string;
  /** As written, without quotes around it. */
  readonly value: string;
}

const NOTHING = /^\s*(?:[#;].*)?$/;
const SECTION = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(?:[#;].*)?$/;
const SETTING = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*?)\s*)?$/;

/**
 * Undefined if a line is anything but a comment, one section, or one setting that ends on the same line. Git understands
 * more, and a reader that is wrong about where a line ends would miss settings.
 */
export function readGitConfig(text: string): readonly GitSetting[] | undefined {
  const settings: GitSetting[] = [];
  let section: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (line.endsWith('\\')) return undefined;
    if (NOTHING.test(line)) continue;
    const [, name, quoted] = SECTION.exec(line) ?? [];
    if (name !== undefined) {
      section = (quoted === undefined ? name : `${name}.${quoted}`).toLowerCase();
      continue;
    }
    const [, key, value = 'true'] = SETTING.exec(line) ?? [];
    if (key === undefined || section === undefined) return undefined;
    settings.push({
      name: `${section}.${key.toLowerCase()}`,
      value: value.replace(/^"([^"\\]*)"$/, '$1'),
    });
  }
  return settings;
}

const patterns = (text: string): readonly string[] => text.trim().split(/\s+/);

/** They run a program only for a command that does more than read. */
const RUNS_WHEN_WRITING = patterns(`
  core.hookspath core.editor sequence.editor filter.*.smudge filter.*.required merge.tool merge.guitool
  diff.tool diff.guitool mergetool.* difftool.* credential.* remote.*.url remote.*.pushurl remote.*.uploadpack
  remote.*.receivepack remote.*.proxy remote.*.vcs url.* protocol.* gpg.ssh.allowedsignersfile commit.gpgsign commit.template tag.gpgsign
  push.gpgsign pull.twohead pull.octopus tar.* trailer.* man.* help.* browser.* web.* instaweb.* guitool.*
  gc.recentobjectshook sendemail.* imap.* lfs.* http.* alias.* submodule.*.url submodule.*.update init.templatedir
  rebase.instructionformat receive.procreceiverefs daemon.* gitweb.* svn.* svn-remote.* git-p4.* bundle.* clone.*
  scalar.* ssh.* grep.fallbacktonoindex`);

/** They say how things look, where they go or who did them. */
const HARMLESS = patterns(`
  add.* advice.* am.* apply.* attr.* branch.* checkout.* clean.* color.* column.* commit.* commitgraph.* completion.*
  fastimport.* feature.* fetch.* format.* fsck.* gc.* gpg.format gpg.mintrustlevel grep.* gui.* i18n.* index.* init.* log.* lsrefs.* maintenance.*
  mailinfo.* mailmap.* notes.* pack.* pretty.* pull.* push.* rebase.* receive.* reftable.* repack.* rerere.* revert.*
  safe.* sendpack.* showbranch.* sparse.* splitindex.* stash.* status.* tag.* transfer.* uploadarchive.* user.*
  versionsort.* windows.* worktree.* blame.blankboundary blame.coloring blame.date blame.showemail blame.showroot
  core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode
  core.symlinks core.quotepath core.autocrlf core.eol core.safecrlf core.abbrev core.longpaths core.preloadindex
  core.untrackedcache core.commentchar core.commentstring core.whitespace core.compression core.loosecompression
  core.bigfilethreshold core.checkstat core.trustctime core.fscache core.protectntfs core.protecthfs
  core.sharedrepository core.sparsecheckout core.sparsecheckoutcone core.splitindex core.multipackindex
  core.commitgraph core.notesref core.warnambiguousrefs core.fsync core.fsyncmethod core.fsyncobjectfiles
  core.hidedotfiles core.excludesfile core.attributesfile
  diff.renames diff.rename diff.renamelimit diff.algorithm diff.context diff.noprefix diff.mnemonicprefix
  diff.colormoved diff.colormovedws diff.wserrorhighlight diff.submodule diff.relative diff.suppressblankempty
  diff.interhunkcontext diff.ignoresubmodules diff.indentheuristic diff.statgraphwidth diff.dirstat
  diff.autorefreshindex diff.wordregex diff.srcprefix diff.dstprefix diff.*.xfuncname diff.*.funcname diff.*.binary
  diff.*.wordregex diff.*.algorithm diff.*.cachetextconv extensions.worktreeconfig extensions.noop
  merge.ff merge.log merge.conflictstyle merge.renames merge.renamelimit merge.stat merge.autostash
  merge.defaulttoupstream merge.branchdesc merge.suppressdest merge.verbosity merge.verifysignatures
  merge.directoryrenames merge.autoedit merge.*.name merge.*.recursive
  remote.pushdefault remote.*.fetch remote.*.push remote.*.mirror remote.*.prune remote.*.prunetags remote.*.tagopt
  remote.*.skipdefaultupdate remote.*.skipfetchall remote.*.gh-resolved remote.*.glab-resolved remote.*.followremotehead
  submodule.active submodule.recurse submodule.fetchjobs submodule.propagatebranches submodule.alternatelocation
  submodule.alternateerrorstrategy submodule.*.active submodule.*.branch submodule.*.ignore submodule.*.shallow
  submodule.*.fetchrecursesubmodules`);

/** The other sections that mean something to git. Programs around git keep their settings in sections of their own. */
const OF_GIT =
  /^(?:alias|blame|browser|bundle|clone|core|credential|credentialcache|credentialstore|daemon|diff|difftool|extensions|filter|fsmonitor|git-p4|gitcvs|gitweb|gpg|guitool|help|hook|http|imap|include|includeif|instaweb|interactive|lfs|man|merge|mergetool|pager|promisor|protocol|remote|remotes|scalar|sendemail|sequence|ssh|submodule|svn|svn-remote|tar|trace2|trailer|uploadpack|url|web)\./;
/** A key of another program's section that may name a program after all. */
const MAY_NAME_PROGRAM =
  /(?:cmd|command|program|helper|hook|tool|exec|editor|pager|driver|shell|tunnel)[^.]*$/;

/** Which commands of git may run a program because of it; a setting of git that is not known counts for all. */
export function runsBySetting({ name, value }: GitSetting): 'reading' | 'writing' | undefined {
  const isOneOf = (names: readonly string[]): boolean => names.some((each) => matchesWildcard(each, name));
  if (isWithoutProgram(name, value.replaceAll('"', ''))) return undefined;
  if (isOneOf(RUNS_WHEN_WRITING)) return 'writing';
  if (isOneOf(HARMLESS)) return undefined;
  return OF_GIT.test(name) || MAY_NAME_PROGRAM.test(name) ? 'reading' : undefined;
}

const BOOLEAN = /^(?:true|false|yes|no|on|off|0|1|)$/i;
/** These take a place where others take a program, so that `true` and `cat` are names of files. */
const NAMES_PLACE =
  /^(?:include(?:if)?\.|core\.hookspath$|promisor\.|extensions\.|hook\.|remote\..*promisor)/;
const TOOL = /^(?:(?:diff|merge)\.(?:gui)?tool|pull\.(?:twohead|octopus))$/;
const ADDRESS = /^(?:remote\..*\.(?:url|pushurl)|submodule\..*\.url)$/;

/** Whether a setting that can run a program names none: a tool that git knows, an address, a word like `true`. */
function isWithoutProgram(name: string, value: string): boolean {
  if (NAMES_PLACE.test(name)) return name === 'extensions.worktreeconfig';
  if (TOOL.test(name)) return !value.includes('/');
  if (ADDRESS.test(name)) return !value.includes('::');
  if (/^submodule\..*\.update$/.test(name)) return !value.startsWith('!');
  if (name === 'blame.ignorerevsfile') return /^[\w.-]*ignore[\w.-]*$/.test(value);
  return BOOLEAN.test(value) || (/^(?:core\.pager|pager\..*)$/.test(name) && value === 'cat');
}
