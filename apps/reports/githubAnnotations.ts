import { type Flaw, isFlaw, type TestSuite } from "./TestSuite.ts"

/** The number of errors that GitHub shows for a step. */
const SHOWN = 10

const ENCODED: { readonly [character: string]: string } = {
  "%": "%25",
  "\r": "%0D",
  "\n": "%0A",
  ":": "%3A",
  ",": "%2C",
}

const encoded = (text: string, what: RegExp): string =>
  text.replaceAll(what, (character) => ENCODED[character] ?? "")

/** Encodes a message, in which only ends of lines and `%` are escaped. */
const message = (text: string): string => encoded(text, /[%\r\n]/g)

/** The value of a property, which ends at a comma, and the properties at a colon. */
const property = (text: string): string => encoded(text, /[%\r\n:,]/g)

const annotation = (title: string, text: string, file: string | undefined): string => {
  const place = file === undefined ? "" : `file=${property(file)},`
  return `::error ${place}title=${property(title)}::${message(text)}`
}

const about = ({ name: suite }: TestSuite, { name, outcome: { line, text } }: Flaw) => {
  const found = text === line ? line : `${line}\n${text}`
  return { title: `${suite}: ${name}`, found }
}

/**
 * A line for each test that did not pass, as GitHub Actions take them from the output of a step;
 * where they are more than GitHub shows, the last one counts the others.
 */
export const githubAnnotations = (suites: ReadonlyArray<TestSuite>): ReadonlyArray<string> => {
  const all = suites.flatMap((suite) =>
    suite.cases.filter(isFlaw).map((flaw) => ({ ...about(suite, flaw), file: suite.file })),
  )
  const shown = all.length <= SHOWN ? all : all.slice(0, SHOWN - 1)
  const lines = shown.map(({ file, found, title }) => annotation(title, found, file))
  const others = all.length - shown.length
  if (others === 0) return lines
  return [
    ...lines,
    annotation(`${others} others`, `${others} other tests did not pass.`, undefined),
  ]
}
