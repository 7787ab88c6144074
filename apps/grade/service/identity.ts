import { type Clause, skip, want } from "./verdicts.ts"
import { Verification } from "./Wire.ts"

/** Checks of the verification of agents' principals. */
export const IDENTITY: ReadonlyArray<Clause> = [
  {
    id: "otp",
    title: "verifies by the code that was sent, and by no other",
    clause: "POST /v1/kyc/verify; Errors: invalid_otp, 401",
    needs: ["creates"],
    hold: async (service) => {
      const { buyer, chance, control } = service
      const { payer } = await service.create()
      const agent_id = payer.agent_id ?? skip("a payment does not say by which agent it was made")
      const mail = `graded-${chance.hex(12)}@example.com`
      const phone = `+1415555${String(parseInt(chance.hex(4), 16) % 10_000).padStart(4, "0")}`
      const path = "/v1/kyc/verify"
      const asked = { who: buyer, method: "POST", path } as const
      const body = { agent_id, level: "basic", data: { email: mail, phone } }
      const opened = await service.must(201, Verification, { ...asked, body })
      if (opened.status !== "pending") skip(`the verification is ${opened.status} without a code`)
      const { verification_id } = opened
      const texts = await control.inbox(buyer, verification_id)
      const otp = /\b\d{6}\b/.exec(texts.at(-1) ?? "")?.[0]
      const advice = "Send the code, six digits, to the address and the phone."
      want(otp !== undefined, "a message with a code", texts.join() || "none", advice)
      const other = String((Number(otp) + 1) % 1_000_000).padStart(6, "0")
      const wrong = await service.ask({ ...asked, body: { verification_id, otp: other } })
      const refused = wrong.status === 401 && wrong.code === "invalid_otp"
      want(refused, "status 401, invalid_otp", wrong.said, "Compare the code.")
      const right = await service.ask({ ...asked, body: { verification_id, otp } })
      want(right.status === 200 || right.status === 201, "status 200", right.said, "Take the code.")
    },
  },
]
