import type { Asked, Service } from "./Service.ts"
import { type Clause, want } from "./verdicts.ts"
import { Manifest } from "./Wire.ts"

const REGISTRY = "Service registry: POST /v1/services"
const MOVES = "States and transitions: ServiceManifest"

/** Registers a manifest. */
export const register = (service: Service, body: object): Asked => ({
  who: service.seller,
  method: "POST",
  path: "/v1/services",
  body,
})

/** Changes a manifest's state. */
export const move = (service: Service, id: string, verb: "activate" | "pause"): Asked => ({
  who: service.seller,
  method: "PATCH",
  path: `/v1/services/${id}/${verb}`,
})

/** Mistakes in a manifest, and the error codes that may report them. */
const WRONG: ReadonlyArray<readonly [change: object, codes: ReadonlyArray<string>]> = [
  [{ name: undefined }, ["MISSING_REQUIRED_FIELD"]],
  [{ name: "x".repeat(129) }, []],
  [{ payment_methods: { one_time: false } }, []],
  [{ pricing: {} }, []],
  [{ accepted_channels: ["no_such_channel"] }, ["UNSUPPORTED_CHANNEL"]],
  [{ accepted_channels: [] }, []],
  [{ endpoint: "nowhere" }, ["INVALID_URL"]],
  [{ settlement_currency: "GOLD" }, []],
]

/** Checks of sellers' services, and of how they are found. */
export const MANIFESTS: ReadonlyArray<Clause> = [
  {
    id: "offers",
    title: "registers a manifest as a draft, and activates it",
    clause: REGISTRY,
    hold: async (service) => {
      const { id, status } = await service.must(
        201,
        Manifest,
        register(service, service.manifest()),
      )
      want(status === "draft", "status draft", `status ${status}`, "A new manifest is a draft.")
      const active = await service.must(200, Manifest, move(service, id, "activate"))
      const advice = "Answer with the manifest as it is then."
      want(active.status === "active", "status active", `status ${active.status}`, advice)
    },
  },
  {
    id: "manifest-again",
    title: "takes a manifest again that has not changed",
    clause: "Service registry: posting the same name with identical fields is idempotent",
    needs: ["offers"],
    hold: async (service) => {
      const body = service.manifest()
      const first = await service.must(201, Manifest, register(service, body))
      const again = await service.ask(register(service, body))
      const id = (again.json as { readonly id?: unknown } | undefined)?.id
      want(id === first.id, `the manifest ${first.id}`, again.said, "Find it by its name.")
    },
  },
  {
    id: "manifest-wrong",
    title: "refuses a manifest that is not as it has to be, with its code",
    clause: "Errors: MISSING_REQUIRED_FIELD, INVALID_PRICING, UNSUPPORTED_CHANNEL, INVALID_URL",
    needs: ["offers"],
    hold: async (service) => {
      for (const [change, codes] of WRONG) {
        const body = service.manifest(change)
        const reply = await service.ask(register(service, body))
        const right =
          reply.status === 422 && (codes.length === 0 || codes.includes(reply.code ?? ""))
        const seen = `${JSON.stringify(change).slice(0, 60)}: ${reply.said}`
        want(right, ["status 422", ...codes].join(", "), seen, "Name the field and its code.")
      }
    },
  },
  {
    id: "manifest-moves",
    title: "refuses the moves that a manifest cannot make",
    clause: `${MOVES}, 409 INVALID_TRANSITION`,
    needs: ["offers"],
    hold: async (service) => {
      const { id } = await service.must(201, Manifest, register(service, service.manifest()))
      const moves = ["pause!", "activate", "activate!", "pause", "pause!"] as const
      for (const one of moves) {
        const verb = one.startsWith("pause") ? "pause" : "activate"
        const reply = await service.ask(move(service, id, verb))
        const refused = reply.status === 409 && reply.code === "INVALID_TRANSITION"
        const right = one.endsWith("!") ? refused : reply.status === 200
        const wanted = one.endsWith("!") ? "status 409, INVALID_TRANSITION" : "status 200"
        want(right, wanted, `${verb}: ${reply.said}`, "Look at the state before each move.")
      }
    },
  },
]
