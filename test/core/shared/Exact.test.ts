import { describe, expect, test } from "vitest"
import { exactly } from "../../../core/shared/Exact.ts"
import { eventsFor } from "../../../core/webhooks/events/Event.ts"

interface View {
  readonly id: string
  readonly note?: string
  readonly payer: { readonly agent_id: string } | null
  readonly lines: ReadonlyArray<{ readonly amount: number }>
}

const view = exactly<View>()
const whole = { id: "a", payer: { agent_id: "b" }, lines: [{ amount: 1 }] }

/** Each marked line does not compile. An unnecessary mark does not compile, either. */
describe("a view that says exactly what its Schema has", () => {
  test("is itself", () => {
    expect(view(() => whole)()).toEqual(whole)
    expect(view((told: boolean) => ({ ...whole, ...(told && { note: "c" }) }))(true).note).toBe("c")
  })

  test("has no field too many, in a spread or below", () => {
    // @ts-expect-error a field that the Schema does not have
    view(() => ({ ...whole, more: 1 }))
    // @ts-expect-error the same where it is there at times
    view((told: boolean) => ({ ...whole, ...(told && { more: 1 }) }))
    // @ts-expect-error the same in an object
    view(() => ({ ...whole, payer: { agent_id: "b", more: 1 } }))
    // @ts-expect-error the same in a list
    view(() => ({ ...whole, lines: [{ amount: 1, more: 1 }] }))
    expect(view).toBeTypeOf("function")
  })

  test("has none too few", () => {
    // @ts-expect-error no lines
    view(() => ({ id: "a", payer: null }))
    // @ts-expect-error no agent
    view(() => ({ ...whole, payer: {} }))
    expect(view).toBeTypeOf("function")
  })
})

describe("an event", () => {
  const ids = { uuid: () => "0" }
  const about = { accounts: [], service_id: null, subject_id: "we_1" }

  test("has the data of its type", () => {
    expect(eventsFor({ type: "ping", data: { endpoint_id: "we_1" }, ...about }, ids, 0)).toEqual([])
  })

  test("has no other data", () => {
    // @ts-expect-error a field that a ping does not have
    eventsFor({ type: "ping", data: { endpoint_id: "we_1", more: 1 }, ...about }, ids, 0)
    // @ts-expect-error a field too few
    eventsFor({ type: "ping", data: {}, ...about }, ids, 0)
    const ping = { endpoint_id: "we_1" }
    // @ts-expect-error the data of another event
    expect(eventsFor({ type: "budget.alert", data: ping, ...about }, ids, 0)).toEqual([])
  })
})
