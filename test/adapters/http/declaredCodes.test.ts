import { Context, Effect, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { expect, expectTypeOf, test } from "vitest"
import { Api } from "../../../adapters/http/contract/Api.ts"
import { Idempotency } from "../../../adapters/http/contract/Route.ts"
import { atEdge, KEYED, ofFields, ONCE, refusals } from "../../../adapters/http/contract/Errors.ts"
import type { GroupHandlers, Impossible } from "../../../adapters/http/koa/Handlers.ts"
import { catchFailure } from "../../../core/shared/catchFailure.ts"
import { Failure, notFound } from "../../../core/shared/Failure.ts"

const rules = { codes: { amount: "INVALID_AMOUNT" } } as const
const error = refusals(KEYED, ofFields(rules), atEdge("PAYLOAD_TOO_LARGE"), [
  "NOT_FOUND",
  "AGENT_ID_TAKEN",
])

const things = HttpApiGroup.make("things").add(
  HttpApiEndpoint.get("get", "/things", { disableCodecs: true, success: Schema.String, error }),
)
const _api = HttpApi.make("test").add(things)

const refuse = <const Code extends "NOT_FOUND" | "AGENT_ID_TAKEN" | "QR_NOT_FOUND">(code: Code) =>
  new Failure({ code, message: "" })

type Declared = GroupHandlers<typeof things, never>

const answering = <Code extends "NOT_FOUND" | "AGENT_ID_TAKEN" | "QR_NOT_FOUND">(code: Code) => ({
  get: () => Effect.fail(refuse(code)),
})

test("a use case that gives a code which its endpoint does not declare does not compile", () => {
  const right = answering<"NOT_FOUND" | "AGENT_ID_TAKEN">("AGENT_ID_TAKEN")
  expectTypeOf(right).toExtend<Declared>()
  const wrong = answering("QR_NOT_FOUND")
  expectTypeOf(wrong).not.toExtend<Declared>()
  expect(error.map(({ ast }) => ast.annotations?.["description"])).toEqual([
    "INVALID_QUERY, INVALID_AMOUNT",
    "UNAUTHORIZED, INVALID_API_KEY",
    "FORBIDDEN, ACCOUNT_SUSPENDED",
    "NOT_FOUND",
    "AGENT_ID_TAKEN",
    "PAYLOAD_TOO_LARGE",
    "RATE_LIMIT_EXCEEDED",
  ])
})

test("a declared code that its use case cannot give is named", () => {
  const both = answering<"NOT_FOUND" | "AGENT_ID_TAKEN">("AGENT_ID_TAKEN")
  expectTypeOf<Impossible<typeof _api, { things: typeof both }>>().toBeNever()
  const one = answering("NOT_FOUND")
  type Found = Impossible<typeof _api, { things: typeof one }>
  expectTypeOf<Found>().toEqualTypeOf<"get never gives AGENT_ID_TAKEN">()
})

test("what the edge refuses by itself is declared wherever it can be", () => {
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations, middleware }) => {
      const codes = new Set(
        [...endpoint.error].flatMap(({ ast }) =>
          String(ast.annotations?.["description"]).split(", "),
        ),
      )
      const declares = (...all: ReadonlyArray<string>) => all.every((code) => codes.has(code))
      const name = `${endpoint.method} ${endpoint.path}`
      const isKept = Context.get(mergedAnnotations, Idempotency) !== null
      expect([name, declares(...KEYED)]).toEqual([name, middleware.size > 0])
      expect([name, declares(...ONCE)]).toEqual([name, isKept])
      if (endpoint.payload.size > 0) expect([name, declares("INVALID_JSON")]).toEqual([name, true])
    },
  })
})

test("a refusal that is handled by its code leaves the others in the error channel", () => {
  const failing = Effect.fail<Failure<"NOT_FOUND" | "FORBIDDEN"> | TypeError>(
    notFound("thing", "1"),
  )
  const handled = failing.pipe(catchFailure(["NOT_FOUND"], () => Effect.succeed("none")))
  expectTypeOf(handled).toEqualTypeOf<Effect.Effect<string, Failure<"FORBIDDEN"> | TypeError>>()
  expect(Effect.runSync(Effect.orDie(handled))).toBe("none")
  const all = failing.pipe(catchFailure(["NOT_FOUND", "FORBIDDEN"], () => Effect.succeed("none")))
  expectTypeOf(all).toEqualTypeOf<Effect.Effect<string, TypeError>>()
  const others = failing.pipe(catchFailure(["FORBIDDEN"], () => Effect.succeed("none")))
  expect(Effect.runSync(Effect.flip(others))).toMatchObject({ code: "NOT_FOUND" })
})
