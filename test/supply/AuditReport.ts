/** The used part of npm's answer to `npm audit --json`. */
interface Answered {
  readonly metadata?: {
    readonly vulnerabilities?: { readonly [severity: string]: number }
    readonly dependencies?: { readonly total?: number }
  }
  readonly vulnerabilities?: {
    readonly [name: string]: { readonly severity?: string; readonly range?: string }
  }
}

/** The result of a request for advisories; `unknown` if the registry could not answer. */
export type Judgement =
  | { readonly type: "clean"; readonly packages: number }
  | { readonly type: "affected"; readonly lines: ReadonlyArray<string> }
  | { readonly type: "unknown"; readonly reason: string }

/** Severities that fail a build. */
const GRAVE = new Set(["high", "critical"])

const parse = (text: string): Answered | undefined => {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === "object" && json !== null ? json : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the meaning of an answer of `npm audit --json`. An answer without a count of
 * vulnerabilities, such as a mirror's refusal, is `unknown` and never clean.
 */
export const judge = (text: string): Judgement => {
  const answered = parse(text)
  const found = answered?.metadata?.vulnerabilities
  if (answered === undefined || found === undefined) {
    const message = Reflect.get(answered ?? {}, "message")
    return { type: "unknown", reason: typeof message === "string" ? message : "no report" }
  }
  const lines = Object.entries(answered.vulnerabilities ?? {})
    .filter(([, { severity }]) => GRAVE.has(severity ?? ""))
    .map(([name, { range, severity }]) => `${name} ${range ?? "*"}: ${severity ?? ""}`)
  const grave = [...GRAVE].some((severity) => (found[severity] ?? 0) > 0)
  if (grave || lines.length > 0) return { type: "affected", lines }
  return { type: "clean", packages: answered.metadata?.dependencies?.total ?? 0 }
}
