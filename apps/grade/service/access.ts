import type { Clause } from "./verdicts.ts"
import { want } from "./verdicts.ts"

/** An id that does not exist. */
export const ABSENT = "00000000-0000-7000-8000-000000000000"

const UNKNOWN = [
  `/v1/payment-intents/pi_${ABSENT}`,
  `/v1/refunds/ref_${ABSENT}`,
  "/v1/payment-intents/%27--",
  "/v1/refunds/none",
]

/** Whether a status says that the request was wrong. */
export const isMistake = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500

/** Checks of who gets access, and of requests that must not. */
export const ACCESS: ReadonlyArray<Clause> = [
  {
    id: "wrong-key",
    title: "refuses a wrong key, and none, with 401",
    clause: "Authentication: an invalid or expired key gives 401",
    hold: async (service) => {
      const nobody = { name: "nobody", key: `sk_test_${service.chance.hex(32)}` }
      const body = await service.wish()
      for (const who of [nobody, undefined]) {
        for (const asked of [
          { who, path: `/v1/payment-intents/pi_${ABSENT}` },
          { who, path: `/v1/refunds/ref_${ABSENT}` },
          { who, method: "POST", path: "/v1/payment-intents", body },
        ] as const) {
          const reply = await service.ask(asked)
          const right = ["INVALID_API_KEY", "UNAUTHORIZED"].includes(reply.code ?? "")
          want(
            reply.status === 401 && right,
            "status 401, INVALID_API_KEY or UNAUTHORIZED",
            `${asked.path}: ${reply.said}`,
            "Look at the key before anything else.",
          )
        }
      }
    },
  },
  {
    id: "unknown-id",
    title: "says of an unknown id that there is no such thing",
    clause: "Endpoints: GET /v1/payment-intents/{id}, GET /v1/refunds/{id}",
    hold: async (service) => {
      for (const path of UNKNOWN) {
        const reply = await service.ask({ who: service.seller, path })
        const right = reply.status === 404 || (reply.status === 400 && !path.includes(ABSENT))
        want(right, "status 404", `${path}: ${reply.said}`, "Answer 404, whatever the id is like.")
      }
    },
  },
  {
    id: "strangers",
    title: "shows a payment to nobody else, and lets nobody else act on it",
    clause: "Authentication; GET /v1/payment-intents/{id}",
    needs: ["creates"],
    hold: async (service) => {
      const { other } = service
      const { id } = await service.authorized()
      const advice = "Answer whoever has no part in a payment as if there were none."
      const who = other ?? { name: "nobody", key: "sk_test_nobody" }
      const read = await service.ask({ who, path: `/v1/payment-intents/${id}` })
      want(isMistake(read.status), "status 404", read.said, advice)
      for (const verb of ["capture", "void"]) {
        const reply = await service.act(who, id, verb)
        want(isMistake(reply.status), "status 404 or 403", `${verb}: ${reply.said}`, advice)
      }
      const buyers = await service.act(service.buyer, id, "capture")
      const seen = `the payer's capture: ${buyers.said}`
      want(isMistake(buyers.status), "status 403", seen, "The payee alone captures.")
      const { status } = await service.get(id)
      want(status === "authorized", "status authorized", status, "A refusal changes nothing.")
    },
  },
]
