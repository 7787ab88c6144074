import type { IdPrefix } from "../../core/shared/Id.ts"
import { fromIso, toIso } from "../../core/shared/Timestamp.ts"
import type { Violation } from "../auditor/Auditor.ts"
import type { Note } from "../auditor/Trace.ts"

/** The names in stories for the things that ids stand for. */
const NAMES: { readonly [prefix in IdPrefix]: string } = {
  pi: "payment",
  ref: "refund",
  creq: "channel request",
  cb: "message",
  evt: "event",
  wd: "delivery",
  we: "receiver",
  acct: "account",
  key: "API key",
  agt: "agent",
  rvk: "revocation",
  ai: "access",
  kyc: "verification",
  qr: "charge",
  disc: "discrepancy",
  rrun: "statement",
  cyc: "billing cycle",
  mnd: "mandate",
  chl: "challenge",
  ins: "install",
  sub: "subscription",
  inv: "invoice",
  tab: "tab",
  appl: "appeal",
  fxq: "quote",
  stmt: "monthly statement",
  rr: "refund request",
  whk: "webhook key",
  cses: "console session",
  post: "posting",
  jrn: "journal",
  fday: "fee day",
  otpa: "allowance",
  use: "usage record",
  scan: "scan",
  aud: "audit entry",
  log: "log entry",
  lst: "listing",
  cons: "consumer list",
  feed: "feed",
}

const KINDS = new Map(Object.entries(NAMES))

const ID = /\b(?:([a-z]+)_)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g

/** One write of a commit, as the trace has it: the kind, and its new state if it has one. */
const WRITE = /(insert|replace|remove) \w+ (.+?) \d+ (\w*)$/

const BY: { readonly [cause: string]: string } = {
  client: "A client's request",
  worker: "A worker",
  callback: "A callback",
  nobody: "The world",
}

const ENTRIES: { readonly [type: string]: string } = {
  charge: "makes a charge for",
  hold: "holds a payer's money for",
  payment: "takes a payer's money for",
  capture: "captures the money of",
  settlement: "settles",
  reversal: "gives back what it could not settle of",
  refund: "refunds money of",
  release: "releases the hold of",
  close: "closes the charge of",
}

/** Describes a write in words. */
const writeText = (part: string): string => {
  const [, event] = /^event .+ (\S+)$/.exec(part) ?? []
  if (event !== undefined) return `tells ${event}`
  const [, key, open] = /^reply (.+) (true|false)$/.exec(part) ?? []
  if (key !== undefined) return `keeps ${open === "true" ? "a place" : "the answer"} for ${key}`
  const [, op, name = part, status = ""] = WRITE.exec(part) ?? []
  if (op === "insert") return status === "" ? `makes ${name}` : `makes ${name} ${status}`
  if (op === "remove") return `removes ${name}`
  if (op !== "replace") return part
  return status === "" ? `changes ${name}` : `has ${name} ${status}`
}

const commitText = (note: string): string => {
  const [, cause = "", rest = ""] = /^commit (\w+) (.*)$/s.exec(note) ?? []
  return `${BY[cause] ?? cause} ${rest.split(", ").map(writeText).join(", ")}`
}

const under = (key: string): string =>
  key === "null" || key === "undefined" ? "" : ` (key ${key})`

/** An answer's text begins with its status; an error is a code; a key may contain blanks. */
const ANSWER = /^answer (\S+ \S+) (.*?) (2\d\d(?:[[{].*)?|\w+)$/s

const answerText = (what: string): string => {
  const [, route, key = "", text = what] = ANSWER.exec(what) ?? []
  const [, code, status] = /^(2\d\d).*?"status":"(\w+)"/s.exec(text) ?? []
  if (code !== undefined) return `→ ${route}${under(key)}: ${code}, ${status}`
  return `→ ${route}${under(key)}: ${text.startsWith("2") ? text.slice(0, 3) : text}`
}

const callText = (what: string): string => {
  const [, key = "", error, route] = /^call (\S+) (\S+) (.*)$/.exec(what) ?? []
  return `→ ${route}${under(key)}: ${error === "undefined" ? "answered" : error}`
}

const callbackText = (note: string): string => {
  const [, about, status, flaw, exit] =
    /^callback (.+? #\d+) ((?:refund )?\S+) (.+) (Success|Failure)$/.exec(note) ?? []
  const who = flaw === "null" ? "Its channel" : `Somebody (${flaw})`
  return `${who} says ${status} of ${about}: ${exit === "Success" ? "heard" : "refused"}`
}

const entryText = (note: string): string => {
  const [, channel, type = "", payment, rest = ""] =
    /^entry (\S+) (\S+) (.+? #\d+) (.*)$/.exec(note) ?? []
  return `${channel} ${ENTRIES[type] ?? type} ${payment} (${rest.replace(/ null$/, "")})`
}

const textOf = (note: string): string => {
  if (note.startsWith("commit ")) return commitText(note)
  if (note.startsWith("callback ")) return callbackText(note)
  if (note.startsWith("entry ")) return entryText(note)
  if (note.startsWith("process ")) return `── ${note} ──`
  if (note.startsWith("claim ")) return `A worker takes on ${note.slice(6)}`
  if (note.startsWith("read ")) return `A client reads ${note.slice(5)}`
  return note.startsWith("gate ") ? `A gate asks about ${note.slice(5)}` : note
}

const LONGEST = 400

/** Formats the time since the beginning, for people. */
const elapsed = (millis: number): string => {
  const days = Math.floor(millis / 86_400_000)
  return `${days > 0 ? `+${days} d ` : ""}${toIso(millis % 86_400_000).slice(11, 23)}`
}

/**
 * Tells a world's events, one line each. Ids become numbers in the order of appearance, and times
 * are counted from the beginning.
 */
export class Story {
  readonly #start: number
  readonly #numbers = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** Without `start`, times are absolute. */
  constructor(start = 0) {
    this.#start = start
  }

  /** Describes a step, with its time. */
  tell(note: Note): string {
    return `${elapsed(note.at - this.#start)}  ${this.say(note.what)}`
  }

  /** Describes a step. */
  say(what: string): string {
    // Names contain blanks, so a text with other blanks is read before.
    const note = what.startsWith("answer ")
      ? this.named(answerText(what))
      : what.startsWith("call ")
        ? callText(what)
        : textOf(this.named(what))
    return note.slice(0, LONGEST).trimEnd()
  }

  /** Describes a violation, with its time. */
  complain(violation: Violation): string {
    const time = elapsed((fromIso(violation.at) ?? this.#start) - this.#start)
    return `${time}  ✗ ${this.accuse(violation)}`
  }

  /** Describes a violation without its time. */
  accuse({ finding, name, number, subject }: Violation): string {
    return `INVARIANT ${number} (${name}): ${this.named(`${subject} ${finding}`)}`
  }

  /** Replaces the ids in a text by names with numbers. */
  named(text: string): string {
    return text.replaceAll(ID, (id, prefix: string | undefined) => this.#nameOf(id, prefix))
  }

  #nameOf(id: string, prefix = "service"): string {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    const kind = KINDS.get(prefix) ?? prefix
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const name = `${kind} #${count}`
    this.#numbers.set(id, name)
    return name
  }
}
