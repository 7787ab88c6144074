import { answerOf, CODES } from "../../../adapters/http/contract/Errors.ts"
import {
  ENABLED_NAMES,
  enables,
  EVENT_TYPES,
  familyOf,
  goesToService,
} from "../../../core/webhooks/events/Event.ts"
import { lifecycles, movesOf, diagramOf } from "../lifecycles.ts"
import { type Page, slug } from "../Page.ts"
import { ERROR_TEXTS, type Retry } from "./errorTexts.ts"
import { EVENT_TEXTS } from "./eventTexts.ts"
import { fieldsOf } from "./fields.ts"
import { document, operations } from "./OpenApi.ts"
import { refusalsOf } from "./operationPages.ts"

const RETRIES: { readonly [R in Retry]: string } = {
  no: "No: the same request gets the same answer.",
  same: "Yes, the same request under the same `Idempotency-Key`.",
  later: "Yes, the same request after `Retry-After`.",
}

/** By code, the operations that can return it. */
const givers = Map.groupBy(
  operations.flatMap((operation) =>
    [...new Set(refusalsOf(operation).map(([, code]) => code))].map((code) => ({
      code,
      operation,
    })),
  ),
  ({ code }) => code,
)

/** Longer lists of operations are not shown. */
const MOST_LISTED = 12

const giversText = (code: string): string => {
  const given = givers.get(code) ?? []
  if (given.length === 0) return "Given by: channels' failures inside, and tools of agents."
  if (given.length > MOST_LISTED) return `Given by: ${given.length} operations.`
  const links = given.map(
    ({ operation: { summary, tags } }) =>
      `[${summary}](/api/${slug(tags[0] ?? "")}#${slug(summary)})`,
  )
  return `Given by: ${links.join(", ")}.`
}

/** Returns the page of all error codes. */
export const errorPage = (): Page => {
  const about = "Every code that a request can be refused with: cause, remedy, whether to retry."
  const sections = CODES.map((code) => {
    const { cause, remedy, retry } = ERROR_TEXTS[code]
    const { category, status } = answerOf(code)
    return [
      `## ${code}`,
      `Status \`${status}\`, category \`${category}\`.`,
      [
        `- **Cause**: ${cause}`,
        `- **Remedy**: ${remedy}`,
        `- **Retry**: ${RETRIES[retry]}`,
        `- ${giversText(code)}`,
      ].join("\n"),
    ].join("\n\n")
  })
  return {
    path: "errors",
    title: "Errors",
    about,
    part: "Reference",
    markdown: [ERRORS_INTRODUCTION, ...sections].join("\n\n"),
  }
}

const ERRORS_INTRODUCTION = `# Errors

A refusal has a status, and a body that says what went wrong (\`code\`, for programs), what to
do (\`message\`, for people), which field it is about
(\`field\`), and facts to act on (\`details\`). Match the code; sentences change.
\`details\` is a list of \`{field, reason}\` for \`INVALID_REQUEST\` and
\`MISSING_REQUIRED_FIELD\`, and an object for other codes.

\`\`\`json
{
  "error": "validation_error",
  "code": "MISSING_REQUIRED_FIELD",
  "message": "The field name is required.",
  "field": "name",
  "details": [{ "field": "name", "reason": "is required" }]
}
\`\`\`

Refunds, refund requests, access items and identity verification nest the same facts:
\`{"error": {"code", "message", "field", "details"}}\`. The typed client rejects with one
\`PayportError\` for both, and repeats by itself what is worth it: broken
connections, 408, 429, 503, and a proxy's 502 and 504, under one \`Idempotency-Key\`.

## Everywhere

These codes are not listed at the operations:

- Every operation: \`INTERNAL_ERROR\`, \`TEMPORARILY_UNAVAILABLE\`, \`OVERLOADED\`.
- With a key: \`UNAUTHORIZED\`, \`INVALID_API_KEY\`, \`ACCOUNT_SUSPENDED\`, \`INVALID_QUERY\`,
  \`RATE_LIMIT_EXCEEDED\`.
- With a body: \`INVALID_JSON\`, \`PAYLOAD_TOO_LARGE\`, \`UNSUPPORTED_MEDIA_TYPE\`, and 408 with
  \`INVALID_REQUEST\` if it does not arrive in time. That judges nothing: send the request again.
- Before anything is read: 400 and 431 with \`INVALID_REQUEST\`, if the request is not valid HTTP or
  its headers are too large. That says nothing about an earlier request under the same key.
- If it changes something: \`OUTCOME_UNKNOWN\`.
- With an \`Idempotency-Key\`: \`IDEMPOTENCY_KEY_USED\`, \`IDEMPOTENCY_KEY_IN_PROGRESS\`.`

const quoted = (types: ReadonlyArray<string>): ReadonlyArray<string> =>
  types.map((type) => `\`${type}\``)

const BY_NAME_ONLY = quoted(EVENT_TYPES.filter((type) => !enables(["*"], type)))

const RESERVED = quoted(ENABLED_NAMES.filter((name) => !EVENT_TYPES.some((type) => type === name)))

const EVENTS_INTRODUCTION = `# Events

What happens is an event in the log of each account that it concerns (\`GET /v1/events\`), and
is sent to the account's
[webhook endpoints](/api/webhook-endpoints) that have it enabled. Receivers verify the signature
and dedupe by the event's \`id\`:
[Receive webhooks](/guides/webhooks) has the code.

Three envelopes are in use. Payments, and whatever is not named here: \`{type, data, id,
created}\`. Identities: the same with \`created_at\`.
Revocations: \`{event, data, id, created}\`. \`created\` is in unix seconds.

An endpoint lists the events that it wants in \`enabled_events\`. \`*\` means all but these, which
are sent only to endpoints that name them: ${BY_NAME_ONLY.join(", ")}.

These names are reserved, and can be enabled although no such event is sent:
${RESERVED.join(", ")}.`

const movesWith = (type: string): ReadonlyArray<string> => {
  const emitting = lifecycles.filter((one) => movesOf(one).some(({ emit }) => emit === type))
  const links = emitting.map(({ title }) => `[${title}](/lifecycles#${slug(title)})`)
  return links.length === 0 ? [] : [`- **Lifecycle**: ${links.join(", ")}`]
}

const receiversOf = (type: (typeof EVENT_TYPES)[number]): string => {
  const named = enables(["*"], type)
    ? "endpoints that enable it or `*`"
    : "endpoints that enable it by its name; `*` does not mean it"
  return goesToService(type) ? `${named}, and the service's own endpoint` : named
}

/** Returns the page of all events. */
export const eventPage = (): Page => {
  const about = "Every event: when it happens, who is told, and what its data holds."
  const sections = EVENT_TYPES.map((type) => {
    const { when, who } = EVENT_TEXTS[type]
    const body = document.webhooks[type]?.post.requestBody?.content["application/json"]?.schema
    const data = body?.properties?.["data"] ?? {}
    const linkOf = (name: string) => `\`${name}\``
    const fields =
      data.anyOf === undefined
        ? fieldsOf(data, linkOf)
        : data.anyOf.flatMap((one, n) => [
            `${n === 0 ? "" : "\n"}${n === 0 ? "Either" : "Or"}:\n`,
            ...fieldsOf(one, linkOf),
          ])
    return [
      `## ${type}`,
      when,
      [
        `- **Who is told**: ${who}; ${receiversOf(type)}`,
        `- **Envelope**: ${ENVELOPES[familyOf(type)]}`,
        ...movesWith(type),
      ].join("\n"),
      "### Data",
      fields.join("\n"),
    ].join("\n\n")
  })
  return {
    path: "events",
    title: "Events",
    about,
    part: "Reference",
    markdown: [EVENTS_INTRODUCTION, ...sections].join("\n\n"),
  }
}

const ENVELOPES = {
  payment: "`{type, data, id, created}`",
  kyc: "`{type, data, created_at, id, created}`",
  revocation: "`{event, data, id, created}`",
}

const eventLink = (type: string): string => `[${type}](/events#${slug(type)})`

const MACHINES_INTRODUCTION = `# Lifecycles

What each record may do, and when. An arrow names what happens; moves that several states share
begin at a dashed box. The table below each picture has the [event](/events) that accounts are told.
A move that is not there is refused with [INVALID_TRANSITION](/errors#invalid-transition). The
pictures are drawn from the tables that run.`

/** Returns the page of all lifecycles, as diagrams and tables. */
export const lifecyclePage = (): Page => ({
  path: "lifecycles",
  title: "Lifecycles",
  about: "The states of every record and what leads from one to another.",
  part: "Reference",
  markdown: [
    MACHINES_INTRODUCTION,
    ...lifecycles.map((lifecycle) =>
      [
        `## ${lifecycle.title}`,
        lifecycle.about,
        diagramOf(lifecycle).join("\n"),
        [
          "| in | what happens | then | event |",
          "|---|---|---|---|",
          ...movesOf(lifecycle).map(
            ({ emit, event, from, to }) =>
              `| ${from} | ${event} | ${to} | ${emit === undefined ? "" : eventLink(emit)} |`,
          ),
        ].join("\n"),
      ].join("\n\n"),
    ),
  ].join("\n\n"),
})
