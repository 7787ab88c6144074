import { onTestFinished } from "vitest"
import { openRuns } from "../../../../core/reports/openRuns.ts"
import { ADMIN_KEY, startApp } from "../../../support/app.ts"
import {
  type Answered,
  type Meddle,
  type Pass,
  type Passing,
  startProxy,
} from "../../simulate/flawedProxy.ts"

/** The JSON of a request or a response. */
export type Fields = { readonly [field: string]: unknown }

/** The parts between a service and its grader. Each can have a bug. */
export interface Parts {
  /** Handles requests to the service. */
  readonly api: Meddle
  /** Handles webhooks to the grader. */
  readonly hooks: Meddle
}

/** Parts without a bug. */
export const RIGHT: Parts = {
  api: (passing, pass) => pass(passing),
  hooks: (passing, pass) => pass(passing),
}

/** The fields of a body; none where it is no JSON object. */
export const fieldsOf = (text: string): Fields => {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : {}
  } catch {
    return {}
  }
}

/** An answer, with other fields where its status is this. */
export const changed = (
  answer: Answered,
  change: (fields: Fields) => Fields,
  statuses: ReadonlyArray<number> = [200, 201],
): Answered =>
  statuses.includes(answer.status)
    ? { ...answer, text: JSON.stringify(change(fieldsOf(answer.text))) }
    : answer

/** The path of a request without its query, as a route. */
const routeOf = ({ method, path }: Passing): string =>
  `${method} ${path.replace(/\?.*/, "").replaceAll(/(pi|ref|we)_[0-9a-f-]{36}/g, "{$1}")}`

/** A part that has a bug on one route alone. */
export const on =
  (route: string, bug: (passing: Passing, pass: Pass) => Promise<Answered>): Meddle =>
  (passing, pass) =>
    routeOf(passing) === route ? bug(passing, pass) : pass(passing)

/** Serves our own service, behind what may have a bug, until the test ends. */
export const serveService = async (altered: Partial<Parts> = {}) => {
  const parts = { ...RIGHT, ...altered }
  const app = await startApp({ sandbox: true })
  onTestFinished(() => app.stop())
  // As a process that works does when it starts.
  await app.run(openRuns())
  let receivers = ""
  const hooks = await startProxy(() => receivers, parts.hooks)
  onTestFinished(hooks.close)
  const api = await startProxy(
    () => app.url,
    (passing, pass) => {
      // A request that registers a receiver contains its address, which is replaced by the proxy's.
      const origin = /http:\/\/127\.0\.0\.1:\d+(?=\/(?:hook|graded)\/)/.exec(passing.body)?.[0]
      receivers = origin ?? receivers
      const body = origin === undefined ? passing.body : passing.body.replaceAll(origin, hooks.url)
      const headers: Record<string, string> = { ...passing.headers }
      return parts.api({ ...passing, headers, body }, pass)
    },
  )
  onTestFinished(api.close)
  return { url: api.url, app, admin: ADMIN_KEY }
}
