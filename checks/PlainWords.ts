/**
 * The words that comments and declared names do not use, each with the words that they use instead. The rules
 * that the lists follow are in `CONTRIBUTING.md`.
 */

/** A refused form of words in a comment. */
export interface Refused {
  readonly pattern: RegExp
  /** Completes "write …". */
  readonly instead: string
}

const refusedWord = (pattern: RegExp, instead: string): Refused => ({ pattern, instead })

/** First words of a comment. */
export const firstWords: ReadonlyArray<Refused> = [
  refusedWord(
    /^(?:(?:Those|They|Them|It|Others|None|Nothing|Nobody|The same)\b|(?:These|That|Such|Another|Both)(?= (?:is|are|was|were|has|have|does|do|can|may|of|that|which|in|on|with|by|at|to|for|where|as)\b))/,
    "the noun that it stands for"
  ),
  refusedWord(
    /^(?:Whoever|Who|Whom|Whose|Somebody|Someone|Anybody|Anyone)\b/,
    "the role: the caller, the client, a member …"
  ),
  refusedWord(/^(?:What|Whatever|Which|How)\b/, "a noun (for a field) or a verb in the third person (for a function)"),
  refusedWord(/^Whether\b/, '"True if …"'),
  refusedWord(/^(?:Where|Wherever)\b/, '"If …", or a noun such as "Position …"'),
  refusedWord(/^(?:Of|As|Beside|Besides|Behind|So|Likewise|Again|Also)\b/, "the subject first"),
  refusedWord(
    /^(?:Tells|Told|Asks|Asked|Answers|Gives|Given|Hands|Says|Said|Holds that|Is|Are|Has|Have)\b/,
    "a noun, or a verb such as Returns, Reports, Requests, Rejects, States"
  )
]

/** Words anywhere in a comment. Code in backticks and text in quotation marks are left out before they are sought. */
export const phrases: ReadonlyArray<Refused> = [
  refusedWord(/\b(?:what|whatever)\b(?! to\b)/i, "the noun: the input, the caller, fields that did not change"),
  refusedWord(/\b(?:whoever|whomever|whosoever)\b/i, "the role: the caller, the client, a member …"),
  refusedWord(
    /\b(?:for|of|to|by|with|from|on|in) whom\b|\bwhom (?:it|they|that|this|the|a)\b/i,
    "the role: the recipient, the owner …"
  ),
  refusedWord(
    /\b(?:somebody|someone|anybody|nobody)\b/i,
    'the role: a client, an operator, another process; or "no …"'
  ),
  refusedWord(
    /\bthe same(?=\s*(?:[.,;:)]|$)|\s+(?:is|are|was|holds|happens|applies|goes|for|of|in|when|if|where)\b)/i,
    'the thing that is meant, or "equal"'
  ),
  refusedWord(
    /\b(?:(?<!(?:soon|long) )as (?:it|they) (?:is|are|was|were|stands?|comes?)|as where)\b/i,
    '"unchanged", or the state that is meant'
  ),
  refusedWord(/\b(?:likewise|wherefrom|thereof|therein|thereby|hence|besides)\b/i, 'a noun, or "also"'),
  refusedWord(/\bbeside\b/i, '"next to" or "in addition to"'),
  refusedWord(
    /(?<!\b(?:falls?|fell|fallen|lags?) )\bbehind\b(?! (?:an?|the|its|one|another) (?:\w+ )?(?:prox\w+|load balancer|firewall|router|flag|setting|option)\b)/i,
    '"after", or "in the background"'
  ),
  refusedWord(/(?<!\b(?:let|left|leaves?|stands?|leaving) (?:\w+ )?)\balone\b/i, '"only X" for "X alone"'),
  refusedWord(
    /\b(?:is|are|was|were) (?:still |not |already |no longer )?there\b(?!fore)|\bthere (?:is|are) (?:none|nothing|no one)\b/i,
    '"exists", "is missing", "no … exists"'
  ),
  refusedWord(/\b(?:is|are|was|were|has|have) gone\b/i, '"is deleted" or "is missing"'),
  refusedWord(/\b(?:beg[iau]ns?|begun|beginning)\b/i, '"start"'),
  refusedWord(
    /\b(?:gives?|gave|hand(?:s|ed)?(?= (?:it|them|out|over|on|to|a|the)\b))\b/i,
    '"return", "pass", "provide"'
  ),
  refusedWord(/\b(?:tells?|told|hears?|heard)\b/i, '"notify", "report", "state"; "acknowledged"'),
  refusedWord(/\b(?:asks?|asked|asking)\b/i, '"request", "query", "call", "require"'),
  refusedWord(
    /\b(?:is|are|was|were|be|been|done|goes|read|written|kept|said) so\b(?! that\b|\w)/i,
    'the thing that "so" stands for'
  ),
  refusedWord(/(?:,|;|^|\bexcept|\beven|\bonly) where\b|\bwhere (?:there|nothing|none|no)\b/i, '"if"'),
  refusedWord(/(?<=^|[.;:] |, )(?:none|nothing) (?:is|are|was|were|has|of)\b/i, '"no …"'),
  refusedWord(/\bnone (?:is|are|was|were|has)\b/i, '"no … is"'),
  refusedWord(/\b(?:anew)\b/i, '"again"'),
  refusedWord(
    /\b(?:that|which) (?:stands?|lies?|lay) (?:there|right)\b|\bin (?:his|her|its) stead\b/i,
    "the position or the state"
  )
]

/** A refused name in a declaration. */
export interface RefusedName {
  readonly names: ReadonlyArray<string>
  readonly instead: string
}

/** Words that no part of a declared name is. `HelpAsked` has the parts `help` and `asked`. */
export const nameParts: ReadonlyArray<RefusedName> = [
  { names: ["tell", "tells", "told", "hear", "hears", "heard"], instead: "notify, emit, report; acknowledged" },
  { names: ["ask", "asks", "asked", "asking", "asker"], instead: "request, query" },
  { names: ["answered", "answering", "answerer"], instead: "respond, response, result" },
  { names: ["kept"], instead: "cached, stored, retained" },
  { names: ["drawn", "drawing"], instead: "rendered, render, renderer" },
  { names: ["said", "says"], instead: "value, reported" },
  { names: ["gone"], instead: "deleted, missing" },
  { names: ["whom", "whoever", "whose"], instead: "the role: recipient, owner" },
  { names: ["beside", "besides", "behind"], instead: "sidecar, overrides; after" },
  { names: ["tongue"], instead: "language" },
  { names: ["settle", "settled", "settles"], instead: "commit, acknowledge, resolve" },
  { names: ["lend", "lent", "lends"], instead: "delegate" },
  { names: ["effort"], instead: "workBudget" },
  { names: ["patience"], instead: "timeout" },
  { names: ["belongings"], instead: "dependents, cascadedRows" },
  { names: ["leads", "led"], instead: "resolves, redirects" },
  { names: ["moment"], instead: "timeDependency, instant" },
  { names: ["seldom"], instead: "throttled" },
  { names: ["hopeless"], instead: "nonRetryable" },
  { names: ["unwell"], instead: "unhealthy" },
  { names: ["kinship"], instead: "similarity" },
  { names: ["unfold", "unfolded"], instead: "parse" }
]

/** Names of one word, in either case, except those of local variables and parameters. */
export const wholeNames: ReadonlyArray<RefusedName> = [
  { names: ["answer", "answers"], instead: "response, result; or what is in it, such as userResponse" },
  { names: ["question", "questions"], instead: "request, query" },
  { names: ["known"], instead: "cached, existing, registered" },
  { names: ["seen", "shown"], instead: "visible, authorized, displayed; visited" },
  { names: ["written"], instead: "serialized, source, persisted" },
  { names: ["found", "taken", "given", "wanted"], instead: "result, claimed, supplied, requested" },
  { names: ["there"], instead: "exists, present" },
  { names: ["place", "places", "placed"], instead: "position, slot, location" },
  { names: ["look", "looks"], instead: "poll; theme, styles" },
  { names: ["around"], instead: "context, enclosing" },
  { names: ["fold"], instead: "foldCase, serialize" },
  { names: ["spread"], instead: "fanOut" },
  { names: ["room"], instead: "capacity" },
  { names: ["turns", "turn"], instead: "lock, mutex" },
  { names: ["short", "apart"], instead: "transactional, outsideTransaction" },
  { names: ["begun"], instead: "startedAt" },
  { names: ["made"], instead: "created, built" }
]

/** Words that are no name of a variable or function of a module. */
export const bareWords: RefusedName = {
  names: [
    "of",
    "none",
    "nothing",
    "within",
    "shown",
    "by",
    "as",
    "so",
    "that",
    "those",
    "other",
    "others",
    "which",
    "who"
  ],
  instead: "a name with a noun"
}
