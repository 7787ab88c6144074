import { tokensOf } from "./Tokens.ts"

/** A part of a grammar rule. */
export type Part =
  | { readonly type: "word"; readonly text: string }
  | { readonly type: "slot"; readonly name: string }
  | { readonly type: "rule"; readonly name: string }
  | { readonly type: "all"; readonly parts: ReadonlyArray<Part> }
  | { readonly type: "any"; readonly parts: ReadonlyArray<Part> }

const NOTHING: Part = { type: "all", parts: [] }

const LEXEME = /<(?<slot>[a-z_]+)>|(?<rule>[A-Z]\w*)|(?<mark>[()[\]|])|(?<word>[^\s()[\]|<>]+)/gu

interface Lexeme {
  readonly slot?: string
  readonly rule?: string
  readonly mark?: string
  readonly word?: string
}

/** Reads one branch up to its closing mark, then the next; `at` is the position. */
const partsOf = (lexemes: ReadonlyArray<Lexeme>): Part => {
  let at = 0
  const any = (closes: string | undefined): Part => {
    const branches: Array<Part> = []
    let branch: Array<Part> = []
    for (;;) {
      const lexeme = lexemes[at]
      at += 1
      if (lexeme?.mark === closes && (closes !== undefined || lexeme === undefined)) {
        branches.push({ type: "all", parts: branch })
        const [only = NOTHING, ...others] = branches
        return others.length === 0 ? only : { type: "any", parts: branches }
      }
      if (lexeme === undefined) throw new Error(`the grammar lacks a ${closes}`)
      if (lexeme.mark === "|") {
        branches.push({ type: "all", parts: branch })
        branch = []
      } else if (lexeme.mark === "[") {
        branch.push({ type: "any", parts: [any("]"), NOTHING] })
      } else if (lexeme.mark === "(") branch.push(any(")"))
      else if (lexeme.slot !== undefined) branch.push({ type: "slot", name: lexeme.slot })
      else if (lexeme.rule !== undefined) branch.push({ type: "rule", name: lexeme.rule })
      else {
        const words = tokensOf(lexeme.word ?? lexeme.mark ?? "")
        branch.push(...words.map(({ text }): Part => ({ type: "word", text })))
      }
    }
  }
  return any(undefined)
}

/**
 * Parses the rules of a grammar, written a line each: `Name = parts`. Parts are words, `<slots>`
 * that read values, names of other rules (with a capital), `[optional parts]`, and `(one |
 * another)`. A line that begins no rule continues the line above.
 */
export const rulesOf = (text: string): ReadonlyMap<string, Part> =>
  new Map(
    text
      .replaceAll(/\n(?!\s*[A-Z]\w* = )\s*/g, " ")
      .split("\n")
      .map((line) => /^\s*([A-Z]\w*) = (.*)$/u.exec(line))
      .flatMap((found) =>
        found === null
          ? []
          : [[found[1] ?? "", partsOf([...(found[2] ?? "").matchAll(LEXEME)].map(groups))]],
      ),
  )

const groups = (match: RegExpExecArray): Lexeme => match.groups ?? {}
