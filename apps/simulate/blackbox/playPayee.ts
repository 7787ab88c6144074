import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { type SeenPayment, timeOf } from "../../../simulator/blackbox/Seen.ts"
import type { PayeePlan } from "../../../simulator/world/Plan.ts"
import { type Action, ACTIONS, OVER } from "../../../simulator/world/playPayee.ts"
import type { Request } from "./Caller.ts"
import type { Scene } from "./Scene.ts"
import type { Actor } from "./Stage.ts"

/** What an action is answered with where it was done. */
const DONE: { readonly [A in Action]: ReadonlyArray<string> } = {
  capture: ["captured", "succeeded"],
  void: ["voided"],
  cancel: ["cancelled"],
}

const request = (
  { stage }: Scene,
  who: Actor,
  id: string,
  action: Action,
  key: string | null,
): Request => ({
  who,
  method: "POST",
  path: `/v1/payment-intents/${id}/${action}`,
  body: {},
  key,
  done: (body) => {
    const { status } = body as SeenPayment
    if (DONE[action].includes(status)) stage.witness.payments.get(id)?.done.add(action)
  },
})

/** Looks after the payment, less and less often, until it is authorized or over. */
const awaitAuthorized = async ({ caller, stage }: Scene, payee: Actor, id: string) => {
  for (let wait = 2 * SECOND; ; wait = Math.min(wait * 2, MINUTE)) {
    const shown = await caller.read(payee, id)
    if (shown === undefined || shown.status === "authorized" || OVER.has(shown.status)) {
      return shown?.status
    }
    await stage.time.sleep(wait)
  }
}

/** What the payee tries besides, at any time. */
export const playProbes = (scene: Scene, payee: Actor, plan: PayeePlan, { id }: SeenPayment) =>
  scene.stage.time.together(
    plan.probes.map(({ action, after }, n) => async () => {
      await scene.stage.time.sleep(after)
      await scene.caller.send(request(scene, payee, id, action, `${action}-probe-${n}-${id}`))
    }),
  )

/** The payee's part: waits for the payer, or not, and takes the money or ends the payment. */
export const playPayee = async (
  scene: Scene,
  payee: Actor,
  plan: PayeePlan,
  payment: SeenPayment,
): Promise<void> => {
  if (plan.act === "waits") return
  const { time } = scene.stage
  if (plan.act === "captures" || plan.act === "contests") {
    if ((await awaitAuthorized(scene, payee, payment.id)) !== "authorized") return
  }
  if (plan.around_expiry === null) await time.sleep(plan.after)
  else await time.until(timeOf(payment.expires_at) + plan.around_expiry, true)
  for (let n = 0; n <= plan.again; n += 1) {
    await time.together(
      ACTIONS[plan.act].map((action) => async () => {
        const key = plan.keyed ? `${action}-${payment.id}` : null
        await scene.caller.flood(request(scene, payee, payment.id, action, key), plan.parallel)
      }),
    )
  }
}
