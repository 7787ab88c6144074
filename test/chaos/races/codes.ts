import { send, succeed } from "../client.ts"
import { type Arena, meet, type Target, tally, unless } from "./Target.ts"

const ATTEMPTS = 5
const path = "/v1/kyc/verify"

/** Opens a verification of an agent of the buyer, and reads the code that was sent. */
const sendCode = async ({ services }: Arena, agent_id: string, phone: string) => {
  const [one, two] = services
  const data = { email: `${agent_id}@example.com`, phone }
  const asked = { agent_id, level: "basic", data }
  const opened = await succeed(one, "buyer", { path, body: asked })
  const verification_id = String(opened.body["verification_id"])
  const inbox = `/v1/sandbox/messages?verification_id=${verification_id}`
  const { body } = await succeed(two, "buyer", { method: "GET", path: inbox })
  const [message] = body["data"] as ReadonlyArray<{ readonly text: string }>
  return { verification_id, otp: message?.text.slice(0, 6) ?? "" }
}

/** Returns a different phone number for each round. */
const phoneOf = (block: number, round: number) => `+1415${block}${String(1_000 + round)}`

/** Verifies an agent of the buyer, so that it has its own limit of 1,000 dollars a day. */
export const verifyAgent = async (arena: Arena, agent_id: string, round: number) => {
  const sent = await sendCode(arena, agent_id, phoneOf(556, round))
  await succeed(arena.services[0], "buyer", { path, body: sent })
}

/** Wrong guesses at a code: five are looked at, and the right one comes too late. */
export const codes: Target = {
  name: "guesses at a code",
  open: async (arena) => ({
    round: async (round) => {
      const { otp, verification_id } = await sendCode(
        arena,
        `guessed-${round}`,
        phoneOf(555, round),
      )
      const wrong = { verification_id, otp: otp === "000000" ? "111111" : "000000" }
      const answers = await meet(arena, () => ["buyer", { path, body: wrong }])
      const right = await send(arena.services[0], "buyer", { path, body: { verification_id, otp } })
      const [row] = await arena.server.ask(
        `SELECT (challenge ->> 'attempts')::int AS n FROM verifications
        WHERE 'kyc_' || id = '${verification_id}'`,
      )
      const refused = answers.every(({ status }) => status === 401)
      return [
        ...unless(refused, "a guess was not refused", tally(answers)),
        ...unless(row?.["n"] === ATTEMPTS, `${ATTEMPTS} should have been looked at`, row),
        ...unless(right.status === 401, "the code was taken after all", right.text),
      ]
    },
  }),
}
