import { describe, expect, test } from "vitest"
import { makePayport, type PayportOptions } from "../../../apps/payport/index.ts"
import { sandbox } from "../../../apps/payport/sandbox.ts"
import { STORES } from "./stores.ts"

describe.each(STORES)("a host's caller on %s", (_name, make) => {
  test("gives an account another key when its only one is lost, and rolls keys", async () => {
    const { drop, options } = await make()
    const given: Pick<PayportOptions, "store"> = options()
    const payport = await makePayport({ ...given, channels: sandbox(), log: false })
    try {
      const { api_key, id } = await payport.accounts.create({
        name: "Ada",
        kind: "buyer",
        agent_id: "ada",
      })
      const own = await payport.accounts.authenticate(api_key.key)
      const host = await payport.caller(id)
      const issuerOf = async (key: string) => {
        const { data } = await payport.keys.list(host, { limit: 100 })
        return data.find((one) => one.id === key)?.minted_by
      }
      await payport.keys.revoke(own, api_key.id)
      await expect(payport.keys.create(own, {})).rejects.toMatchObject({ code: "INVALID_API_KEY" })

      const issued = await payport.keys.create(host, {})
      expect(issued).toMatchObject({ restrictions: null, expires_at: null })
      expect(await issuerOf(issued.id)).toBeNull()
      const again = await payport.accounts.authenticate(issued.key)
      expect(again.accountId).toBe(id)

      const restrictions = { routes: ["read" as const] }
      const narrow = await payport.keys.create(host, { restrictions })
      expect(narrow.restrictions).toMatchObject(restrictions)

      // A restricted key has no issuer either, and gets no other rights by rolling.
      const managing = await payport.keys.create(host, { restrictions: { routes: ["manage"] } })
      const manager = await payport.accounts.authenticate(managing.key)
      await expect(
        payport.keys.roll(manager, issued.id, { grace_period_seconds: 0 }),
      ).rejects.toMatchObject({ code: "FORBIDDEN" })

      const anew = await payport.accounts.issueKey(id)
      expect(await issuerOf(anew.id)).toBeNull()
      expect((await payport.accounts.authenticate(anew.key)).accountId).toBe(id)

      const child = await payport.keys.create(again, {})
      const rolled = await payport.keys.roll(host, child.id, { grace_period_seconds: 0 })
      expect(await issuerOf(rolled.id)).toBe(issued.id)
      await payport.accounts.authenticate(rolled.key)
      // What was issued by a key still ends with it.
      await payport.keys.revoke(host, issued.id, { cascade: "true" })
      await expect(payport.accounts.authenticate(rolled.key)).rejects.toMatchObject({
        code: "INVALID_API_KEY",
      })

      await payport.accounts.suspend(id)
      for (const refused of [
        payport.keys.create(host, {}),
        payport.keys.roll(host, narrow.id, { grace_period_seconds: 0 }),
      ]) {
        await expect(refused).rejects.toMatchObject({ code: "ACCOUNT_SUSPENDED" })
      }
    } finally {
      await payport.close()
      await drop()
    }
  })

  test("ends with a first key all that those have issued that it replaced", async () => {
    const { drop, options } = await make()
    const given: Pick<PayportOptions, "store"> = options()
    const payport = await makePayport({ ...given, channels: sandbox(), log: false })
    try {
      const { api_key, id } = await payport.accounts.create({
        name: "Eve",
        kind: "buyer",
        agent_id: "eve",
      })
      const own = await payport.accounts.authenticate(api_key.key)
      const host = await payport.caller(id)
      const child = await payport.keys.create(own, {})
      const first = await payport.keys.roll(own, api_key.id, { grace_period_seconds: 3_600 })
      // What the replaced key rolls is no first key, and neither is what that rolls.
      const stolen = await payport.keys.roll(own, api_key.id, { grace_period_seconds: 0 })
      expect(stolen.expires_at).toBe(first.replaces.expires_at)
      const issuers = async () => {
        const { data } = await payport.keys.list(host, { limit: 100 })
        return new Map(data.map((key) => [key.id, key.minted_by]))
      }
      const before = await issuers()
      expect([api_key.id, first.id, stolen.id].map((key) => before.get(key))).toEqual([
        first.id,
        null,
        api_key.id,
      ])

      // Past the plan's limit, ended keys make room, and pass on the ones that they replaced.
      let newest = first
      for (let n = 0; n < 25; n += 1) {
        const caller = await payport.accounts.authenticate(newest.key)
        newest = await payport.keys.roll(caller, newest.id, { grace_period_seconds: 0 })
      }
      expect((await issuers()).has(first.id)).toBe(false)
      await payport.accounts.authenticate(child.key)
      await payport.keys.revoke(host, newest.id, { cascade: "true" })
      for (const { key } of [newest, child]) {
        await expect(payport.accounts.authenticate(key)).rejects.toMatchObject({
          code: "INVALID_API_KEY",
        })
      }
    } finally {
      await payport.close()
      await drop()
    }
  })
})
