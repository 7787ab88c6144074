import { changed, type Fields, fieldsOf, on } from "./subject.ts"
import {
  CREATE,
  keeping,
  keyOf,
  minutes,
  type Mutant,
  READ,
  refuses,
  says,
  shows,
  withoutHeader,
} from "./bugs.ts"

/** The bugs of states, keys and errors. */
export const CORE: ReadonlyArray<Mutant> = [
  {
    name: "shows what has expired as open",
    parts: says(READ, (fields) =>
      fields["status"] === "expired" ? { ...fields, status: "qr_generated" } : fields,
    ),
    named: ["expires-late"],
  },
  {
    name: "lets payments expire half a minute early",
    parts: () => {
      let now = 0
      return {
        api: async (passing, pass) => {
          const answer = await pass(passing)
          if (passing.path.endsWith("/clock/advance")) {
            now = Date.parse(String(fieldsOf(answer.text)["now"]))
          }
          return changed(answer, (fields) =>
            Date.parse(String(fields["expires_at"])) - now < 30_000
              ? { ...fields, status: "expired" }
              : fields,
          )
        },
      }
    },
    named: ["expires-early"],
  },
  {
    name: "gives payments twenty minutes",
    parts: says(CREATE, (fields) => ({
      ...fields,
      expires_at: minutes(fields["expires_at"], 5),
    })),
    named: ["lifetime"],
  },
  {
    name: "captures what nobody has authorized",
    parts: refuses("INVALID_TRANSITION", (answer, { path }) =>
      path.endsWith("/capture") ? { ...answer, status: 200, text: "{}" } : answer,
    ),
    named: ["capture-early", "expires-late"],
  },
  {
    name: "forgets who has authorized",
    parts: shows((fields) => ({
      ...fields,
      payer: { ...(fields["payer"] as Fields), human_id: null },
    })),
    named: ["path"],
  },
  {
    name: "fails everything for the same cause",
    parts: shows((fields) =>
      fields["failure_code"] === undefined
        ? fields
        : { ...fields, failure_code: "PAYMENT_REJECTED" },
    ),
    named: ["rejected"],
  },
  {
    name: "voids what has succeeded",
    parts: refuses("INVALID_TRANSITION", (answer, { path }) =>
      path.endsWith("/void") ? { ...answer, status: 200, text: '{"status":"voided"}' } : answer,
    ),
    named: ["ended"],
  },
  {
    name: "believes whoever speaks for a channel",
    parts: () => ({
      api: async (passing, pass) => {
        const answer = await pass(passing)
        const isCallback = passing.path.startsWith("/v1/webhooks/channel/")
        return isCallback ? { ...answer, status: 200, text: "{}" } : answer
      },
    }),
    named: ["forged"],
  },
  {
    name: "makes links in another order",
    parts: says("POST /v1/payments/one-time", (fields) => ({
      ...fields,
      deeplink: String(fields["deeplink"]).replace(/\?(.+)&(.+)&(.+)/, "?$2&$1&$3"),
    })),
    named: ["one-time"],
  },
  {
    name: "sells the same again",
    parts: () => ({
      api: on(
        "POST /v1/payments/one-time",
        keeping(({ body }) => body),
      ),
    }),
    named: ["one-time-again"],
  },
  {
    name: "does not know its keys",
    parts: () => ({
      api: (passing, pass) => pass(withoutHeader(passing, "idempotency-key")),
    }),
    named: ["same-key", "refund-again"],
  },
  {
    name: "answers a key whatever it comes with",
    parts: () => ({ api: keeping(keyOf) }),
    named: ["key-other-body"],
  },
  {
    name: "looks for a key, and then acts",
    parts: () => ({ api: keeping((passing) => keyOf(passing) && keyOf(passing) + passing.body) }),
    named: ["key-copies"],
  },
  {
    name: "shares keys among accounts",
    parts: () => ({
      api: on(
        CREATE,
        keeping((passing) => keyOf(passing) && passing.body),
      ),
    }),
    named: ["keys-apart"],
  },
  {
    name: "answers a wrong key with 403",
    parts: refuses("INVALID_API_KEY", (answer) => ({ ...answer, status: 403 })),
    named: ["wrong-key"],
  },
  {
    name: "answers an unknown id with nothing",
    parts: refuses("NOT_FOUND", (answer) => ({ ...answer, status: 200, text: "{}" })),
    named: ["unknown-id"],
  },
  {
    name: "fails at half a JSON text",
    parts: refuses("INVALID_JSON", (answer) => ({ ...answer, status: 500 })),
    named: ["malformed", "no-failures"],
  },
  {
    name: "rounds amounts",
    parts: () => ({
      api: on(CREATE, (passing, pass) => {
        const fields = fieldsOf(passing.body)
        const amount = fields["amount"] as { readonly value?: unknown } | undefined
        if (typeof amount?.value !== "number") return pass(passing)
        const rounded = { ...amount, value: Math.round(amount.value) }
        return pass({ ...passing, body: JSON.stringify({ ...fields, amount: rounded }) })
      }),
    }),
    named: ["amounts"],
  },
  {
    name: "shows everybody what somebody was shown",
    parts: () => {
      const keys = new Map<string, string>()
      return {
        api: on(READ, async (passing, pass) => {
          const answer = await pass(passing)
          const key = keys.get(passing.path)
          if (answer.status === 200) keys.set(passing.path, passing.headers["authorization"] ?? "")
          if (answer.status !== 404 || key === undefined) return answer
          return pass({ ...passing, headers: { ...passing.headers, authorization: key } })
        }),
      }
    },
    named: ["strangers"],
  },
  {
    name: "refuses without a message",
    parts: () => ({
      api: async (passing, pass) =>
        changed(
          await pass(passing),
          ({ message: _, ...fields }) => fields,
          [400, 401, 403, 404, 409, 422],
        ),
    }),
    named: ["error-shapes"],
    also: ["search-wrong"],
  },
  {
    name: "answers INVALID_URL with 400",
    parts: refuses("INVALID_URL", (answer) => ({ ...answer, status: 400 })),
    named: ["error-codes", "manifest-wrong"],
  },
  {
    name: "counts the page and not what was found",
    parts: says("GET /v1/services", (fields) => ({
      ...fields,
      pagination: {
        ...(fields["pagination"] as Fields),
        total: (fields["data"] as ReadonlyArray<unknown>).length,
      },
    })),
    named: ["search-pages"],
  },
  {
    name: "shows the last of a page again on the next",
    parts: () => ({
      api: (passing, pass) =>
        pass({ ...passing, path: passing.path.replace("&offset=2", "&offset=1") }),
    }),
    named: ["search-pages"],
  },
  {
    name: "takes any query",
    parts: refuses("INVALID_QUERY", (answer) => ({
      ...answer,
      status: 200,
      text: '{"data":[],"pagination":{"total":0,"limit":20,"offset":0}}',
    })),
    named: ["search-wrong"],
  },
  {
    name: "shows drafts to buyers",
    parts: () => {
      let seller = ""
      return {
        api: (passing, pass) => {
          if (passing.method === "PATCH" || passing.path === "/v1/services") {
            seller = passing.headers["authorization"] ?? ""
          }
          const isSearch = passing.path.includes("status=draft")
          const headers = isSearch ? { ...passing.headers, authorization: seller } : passing.headers
          return pass({ ...passing, headers })
        },
      }
    },
    named: ["draft-hidden"],
  },
  {
    name: "activates what is active",
    parts: refuses("INVALID_TRANSITION", (answer, { path }) =>
      path.endsWith("/activate") ? { ...answer, status: 200 } : answer,
    ),
    named: ["manifest-moves"],
  },
  {
    name: "takes any code",
    parts: refuses("invalid_otp", (answer) => ({ ...answer, status: 200 })),
    named: ["otp"],
  },
]
