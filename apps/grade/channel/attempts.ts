import { ended, isPending } from "./ended.ts"
import type { Charge, Gateway } from "./Gateway.ts"
import { type Attempt, bookOf, movement } from "./movement.ts"

const reading = (name: string, send: Attempt["send"]): Attempt => ({
  name: `GET ${name}`,
  send,
  books: async () => "",
})

const registered = async (gateway: Gateway): Promise<Charge> => {
  const charge = gateway.draft()
  await gateway.register(charge)
  return charge
}

/**
 * Makes charges, and returns the attempts on them. Money is at stake only if a payer can pay. What
 * a gateway may show late is not tried, since a look after the attempt could find that instead.
 */
export const attemptsOf = async (gateway: Gateway): Promise<ReadonlyArray<Attempt>> => {
  const [one, two] = [await registered(gateway), await registered(gateway)]
  const unknown = gateway.draft()
  const number = gateway.number()
  const isHeld = (await gateway.pay?.(one)) === true && (await gateway.pay?.(two)) === true
  // It has to have its end, so that no later look finds what it has moved.
  const taken = await ended(gateway, two, "capture", two.value, number)
  const moved = isHeld && !isPending(taken) ? [movement(gateway, two, "refund")] : []
  const today = new Date().toISOString().slice(0, 10)
  return [
    {
      name: "POST /v1/charges",
      send: (unusual) => gateway.register(unknown, unusual),
      books: () => bookOf(gateway, unknown),
    },
    isHeld
      ? movement(gateway, one, "capture")
      : movement(gateway, await registered(gateway), "close"),
    ...moved,
    reading("/v1/charges/{out_trade_no}", (unusual) => gateway.look(one, unusual)),
    reading("/v1/requests/{number}", (unusual) => gateway.outcome(two, number, unusual)),
    reading("/v1/statements/{yyyy-mm-dd}", (unusual) =>
      gateway.send("GET", `/v1/statements/${today}`, undefined, unusual),
    ),
  ]
}
