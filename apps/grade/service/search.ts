import { move, register } from "./manifests.ts"
import type { Asked, Service } from "./Service.ts"
import { type Clause, want } from "./verdicts.ts"
import { Manifest, Search } from "./Wire.ts"

const SEARCH = "Service registry: GET /v1/services"

const search = (service: Service, query: string, who = service.buyer): Asked => ({
  who,
  path: `/v1/services?${query}`,
})

/** Waits until a search finds so many: an index may need seconds. */
const found = (service: Service, query: string, count: number) =>
  service.until(
    () => service.must(200, Search, search(service, query)),
    ({ pagination }) => pagination.total === count,
  )

/** Checks of the search for services. */
export const SEARCHES: ReadonlyArray<Clause> = [
  {
    id: "draft-hidden",
    title: "shows a manifest to buyers while it is active, and neither before nor after",
    clause: `${SEARCH}: draft manifests are visible only to the owning API key`,
    needs: ["offers"],
    hold: async (service) => {
      const word = service.chance.hex(16)
      const body = service.manifest({ tags: [word] })
      const { id } = await service.must(201, Manifest, register(service, body))
      const total = async (query: string, count: number) =>
        (await found(service, query, count)).pagination.total
      const drafts = await total(`q=${word}&status=draft`, 0)
      want(drafts === 0, "no draft of another", `${drafts} found`, "Show drafts to their owner.")
      await service.must(200, Manifest, move(service, id, "activate"))
      const active = await total(`q=${word}`, 1)
      want(active === 1, "the active one", `${active} found`, "Index what becomes active.")
      await service.must(200, Manifest, move(service, id, "pause"))
      const paused = await total(`q=${word}`, 0)
      want(paused === 0, "nothing", `${paused} found`, "Take what is paused out of searches.")
    },
  },
  {
    id: "search-pages",
    title: "shows each manifest on one page, and how many there are",
    clause: `${SEARCH}: limit, offset, total`,
    needs: ["offers"],
    hold: async (service) => {
      const word = service.chance.hex(16)
      const made: Array<string> = []
      for (let count = 0; count < 3; count += 1) {
        const body = service.manifest({ tags: [word] })
        const { id } = await service.must(201, Manifest, register(service, body))
        await service.must(200, Manifest, move(service, id, "activate"))
        made.push(id)
      }
      await found(service, `q=${word}`, 3)
      const shown: Array<string> = []
      for (const offset of [0, 2, 3]) {
        const query = `q=${word}&limit=2&offset=${offset}`
        const { data, pagination } = await service.must(200, Search, search(service, query))
        const { limit, offset: from, total } = pagination
        const right = total === 3 && limit === 2 && from === offset && data.length <= 2
        const seen = `${data.length} shown, ${JSON.stringify(pagination)}`
        want(right, `total 3, limit 2, offset ${offset}`, seen, "Count all that are found.")
        if (offset === 3) want(data.length === 0, "an empty page", seen, "Past the end is nothing.")
        shown.push(...data.map(({ id }) => id))
      }
      const right = shown.toSorted().join() === made.toSorted().join()
      want(right, made.join(), shown.join(), "Order by something that no two manifests share.")
    },
  },
  {
    id: "search-wrong",
    title: "refuses a query that is none",
    clause: `${SEARCH}: 400 INVALID_QUERY`,
    hold: async (service) => {
      const queries = ["limit=0", "limit=101", "limit=ten", "offset=-1", "status=gone", "sort=name"]
      for (const query of queries) {
        const reply = await service.ask(search(service, query))
        const right = reply.status === 400 && reply.code === "INVALID_QUERY"
        const seen = `${query}: ${reply.said}`
        want(right, "status 400, INVALID_QUERY", seen, "Read each parameter by its type.")
      }
    },
  },
]
