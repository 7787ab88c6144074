import { Effect, Exit, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { readdir, writeFile } from "node:fs/promises"
import { createServer } from "node:https"
import { type AddressInfo, createServer as createPlainServer } from "node:net"
import { join } from "node:path"
import { TLSSocket } from "node:tls"
import { describe, expect, onTestFinished, test } from "vitest"
import type { Inspection } from "../../../adapters/postgres/inspectDatabase.ts"
import {
  type Finding,
  judgeAudit,
  judgeBacklog,
  judgeCertificate,
  judgeClock,
  judgeKeys,
  judgeMigrations,
  judgeRights,
  judgeServer,
  judgeStanding,
  judgeTriggers,
  ok,
  skipped,
  stateOfAll,
  textOf,
  warning,
} from "../../../apps/server/doctor/Finding.ts"
import { certificateOfDatabase } from "../../../apps/server/doctor/lookAtCertificate.ts"
import type { KeyRing } from "../../../core/secrets/KeyRing.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { selfSigned } from "../../support/certificates.ts"
import { askDatabase, urlOf } from "../../support/askDatabase.ts"
import { freePort } from "../../support/freePort.ts"
import { emptyDatabase, ownerOf, serviceOf, testDatabase } from "../../support/postgres.ts"
import { start, startOn, stop, temporaryFolder } from "./service.ts"

/** Steps that no older version may run beside. */
const taken = (...ids: ReadonlyArray<number>) => ids.map((id) => ({ id, beside: null }))

const inspection: Inspection = {
  version: "18.4",
  encrypted: true,
  readOnly: false,
  full: false,
  schema: "payport",
  role: "till",
  owns: false,
  creates: false,
  missing: [],
  excess: [],
  silent: [],
  readable: true,
  endsWithHead: true,
  applied: taken(1, 2),
  hasFunction: true,
  offset: 0,
  backlog: { due: [], receivers: [], channel_requests: [] },
  ring: undefined,
}

/** The ring of a sandbox that those master keys open. */
const ringOf = (...masters: ReadonlyArray<string>): KeyRing => {
  const wrapped = masters.map((master) => ({ master, text: "…" }))
  const key = { id: "k1", created_at: 0, retired_at: null, wrapped }
  return { mode: "sandbox", root: wrapped, keys: [key] }
}

const keys = (ring: KeyRing | undefined, master?: string, mode: KeyRing["mode"] = "sandbox") =>
  judgeKeys(ring, { master, mode })

const dueFor = (lag: number): Partial<Inspection> => ({
  backlog: {
    due: [{ kind: "event", count: 3, oldest: 1_000_000 - lag }],
    receivers: [{ receiver: "we_1", count: 2 }],
    channel_requests: [],
  },
})

const backlog = (said: Partial<Inspection>) => judgeBacklog({ ...inspection, ...said }, 1_000_000)
const rights = (said: Partial<Inspection>, mode: "sandbox" | "live" = "live") =>
  judgeRights({ ...inspection, ...said }, mode)
const migrations = (said: Partial<Inspection>) =>
  judgeMigrations({ ...inspection, ...said }, [1, 2])
const standing = (said: { follows: boolean; read_only: boolean } | { problem: string }) =>
  judgeStanding({ server: "a:1", ...said })
const certificate = (days: number) => judgeCertificate({ server: "a", until: days * DAY }, 0)

describe("the doctor says", () => {
  test.each<readonly [string, Finding, Finding["state"], string]>([
    ["a clock", judgeClock(-900), "ok", "1 s behind"],
    ["a clock that is off", judgeClock(3_000), "warning", "3 s ahead"],
    ["a wrong clock", judgeClock(-31_000), "failed", "31 s behind"],
    ["no clock", judgeClock(undefined), "skipped", "could not be read"],
    ["a server", judgeServer(inspection), "ok", "18.4 answers, encrypted"],
    ["a full disk", judgeServer({ ...inspection, full: true }), "failed", "Its disk is full"],
    ["a standby", judgeServer({ ...inspection, readOnly: true }), "failed", "read-only"],
    ["one of many", standing({ follows: false, read_only: false }), "ok", "a:1 is a primary."],
    ["one that follows", standing({ follows: true, read_only: true }), "ok", "a:1 follows"],
    ["a former primary", standing({ follows: false, read_only: true }), "ok", "no writes"],
    ["one that is away", standing({ problem: "No." }), "warning", "a:1 cannot be used: No."],
    ["rights", rights({}), "ok", "till has the privileges"],
    ["no rights", rights({ missing: ["INSERT on a"] }, "sandbox"), "failed", "INSERT on a"],
    ["an owner in live mode", rights({ owns: true }), "failed", "owns the tables"],
    ["one who may create functions", rights({ creates: true }), "failed", "create functions"],
    ["many missing rights", rights({ missing: [..."abcd"] }), "failed", "rights: a; b; c; …."],
    ["too many rights", rights({ excess: ["UPDATE on a"] }), "failed", "not have: UPDATE on a."],
    ["too many in a sandbox", rights({ excess: ["b"] }, "sandbox"), "warning", "not have: b."],
    ["an owner in a sandbox", rights({ owns: true }, "sandbox"), "ok", "till"],
    ["no tables", rights({ applied: [] }), "skipped", "no tables yet"],
    ["triggers", judgeTriggers(inspection), "ok", "are enabled"],
    ["none of them", judgeTriggers({ ...inspection, silent: ["a on b"] }), "failed", "a on b."],
    ["no triggers yet", judgeTriggers({ ...inspection, applied: [] }), "skipped", "no tables yet"],
    ["an audit log", judgeAudit(inspection), "ok", "ends with the entry"],
    ["a cut one", judgeAudit({ ...inspection, endsWithHead: false }), "failed", "cannot act"],
    ["a hidden one", judgeAudit({ ...inspection, readable: false }), "skipped", "not be read"],
    ["no audit log", judgeAudit({ ...inspection, applied: [] }), "skipped", "no tables yet"],
    ["a schema", migrations({}), "ok", "step 2"],
    ["an old schema", migrations({ applied: taken(1) }), "failed", "lacks the schema steps 2"],
    ["an old schema of ours", migrations({ applied: [], owns: true }), "warning", "steps 1, 2"],
    ["no function", migrations({ hasFunction: false }), "failed", "commit function"],
    ["a newer schema", migrations({ applied: taken(1, 2, 3) }), "failed", "of a newer version: 3"],
    [
      "an upgrade under way",
      migrations({ applied: [...taken(1, 2), { id: 3, beside: 2 }] }),
      "warning",
      "may run beside: 3",
    ],
    [
      "an upgrade that this version is too old for",
      migrations({ applied: [...taken(1, 2), { id: 3, beside: 3 }] }),
      "failed",
      "of a newer version: 3",
    ],
    ["a master key", keys(ringOf("mk_1"), "mk_1"), "ok", "mk_1 opens this database of sandbox"],
    ["another master key", keys(ringOf("mk_1"), "mk_2"), "failed", "That is mk_1, but the key"],
    [
      "no master key",
      keys(ringOf("mk_1")),
      "failed",
      "need the master key mk_1, and there is none",
    ],
    ["another mode", keys(ringOf("mk_1"), "mk_1", "live"), "failed", "belongs to sandbox mode"],
    ["a rotation", keys(ringOf("mk_1", "mk_2"), "mk_1"), "warning", "mk_1 and mk_2 all open"],
    ["no keys yet", keys(undefined, "mk_1"), "skipped", "The first start makes"],
    ["no work", backlog({}), "ok", "Nothing is late; 0 deliveries"],
    ["work", backlog(dueFor(59_999)), "ok", "2 deliveries"],
    ["late work", backlog(dueFor(60_000)), "warning", "3 of the kind event are due, one for 60 s"],
    ["very late work", backlog(dueFor(600_000)), "failed", "600 s"],
    ["uncounted work", backlog({ backlog: undefined }), "skipped", "could not be counted"],
    ["a certificate", certificate(14), "ok", "a: valid until 1970-01-15"],
    ["one that ends soon", certificate(13.9), "warning", "valid until 1970-01-14"],
    ["one that has ended", certificate(0), "failed", "expired on 1970-01-01"],
    ["none", judgeCertificate({ server: "a", problem: "no" }, 0), "failed", "a: no."],
  ])("of %s", (_, { message, state, todo }, expected, said) => {
    expect([state, message]).toEqual([expected, expect.stringContaining(said)])
    expect(todo === null).toBe(expected === "ok" || expected === "skipped")
  })

  test("all of it together: the worst, a line each", () => {
    const found = [
      ok("settings", "Fine."),
      warning("clock", "Late.", "Set it."),
      skipped("backlog", "-"),
    ]
    expect([stateOfAll([]), stateOfAll(found)]).toEqual(["ok", "warning"])
    expect(textOf(found)).toBe(
      [
        "ok       settings      Fine.",
        "warning  clock         Late.",
        "                       Set it.",
        "skipped  backlog       -",
      ].join("\n"),
    )
  })
})

/** A server that answers PostgreSQL's request for TLS with that letter, and shows a certificate. */
const postgresServer = async (letter: "S" | "N", at: Date) => {
  const server = createPlainServer((socket) => {
    socket.once("data", () => {
      socket.write(letter)
      const secured = letter === "S" && { isServer: true, ...selfSigned("db", at) }
      if (secured) void new TLSSocket(socket, secured)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  return { host: "127.0.0.1", port: (server.address() as AddressInfo).port }
}

test("the certificate of a database is shown, whoever has signed it", async () => {
  const at = new Date("2026-05-04T10:00:00Z")
  const known = await Effect.runPromise(certificateOfDatabase(await postgresServer("S", at)))
  expect(known).toMatchObject({ until: Date.parse("2026-05-04T10:30:00Z") })
  const none = await Effect.runPromise(certificateOfDatabase(await postgresServer("N", at)))
  expect(none).toMatchObject({ problem: "it does not support TLS" })
})

/** A database that is removed after the test. */
const databaseFor = async (make: typeof testDatabase) => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runPromise(Scope.provide(make, scope))
}

const databaseUrl = async (make: typeof testDatabase) => urlOf(await databaseFor(make))

const examine = async (
  PAYPORT_DATABASE_URL: string,
  PAYPORT_BASE_URL: string,
  more: { readonly [name: string]: string } = {},
) => {
  const folder = await temporaryFolder()
  const settings = { PAYPORT_DATA_DIR: folder, PAYPORT_DATABASE_URL, PAYPORT_BASE_URL, ...more }
  const command = start(settings, "doctor", "--json")
  const code = await command.ended
  const { findings, state } = JSON.parse(command.stdout()) as {
    readonly state: string
    readonly findings: ReadonlyArray<Finding>
  }
  const states = findings.map((finding) => `${finding.check} ${finding.state}`)
  const messageOf = (check: string) => findings.findLast((one) => one.check === check)?.message
  return {
    code,
    state,
    states,
    stderr: command.stderr(),
    messages: findings.map(({ check, message }) => `${check} ${message}`),
    certificate: messageOf("certificates"),
    rights: messageOf("rights"),
    migrations: messageOf("migrations"),
  }
}

/** Returns the URL of a server with an untrusted certificate, made at that time. */
const httpsServer = async (at: Date) => {
  const server = createServer(selfSigned("localhost", at))
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve))
  onTestFinished(() => void server.close())
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

describe("doctor", () => {
  test("finds a database of the service right, and a certificate that nobody trusts", async () => {
    const url = await databaseUrl(testDatabase)
    const found = await examine(url, await httpsServer(new Date()))
    expect(found.certificate).toMatch(/^localhost:\d+: DEPTH_ZERO_SELF_SIGNED_CERT\.$/)
    expect(found).toMatchObject({
      code: 1,
      state: "failed",
      states: [
        "settings ok",
        "database ok",
        "clock ok",
        "rights ok",
        "triggers ok",
        "audit ok",
        "migrations ok",
        "keys skipped",
        "backlog ok",
        "certificates failed",
      ],
      stderr: "payport cannot run: 1 of 10 checks of doctor failed.\n",
    })
  })

  test("finds what a start refuses, and rights that books are not safe from", async () => {
    const owner = ownerOf(await databaseFor(testDatabase))
    const service = serviceOf(owner)
    const role = service.username ?? ""
    const look = async (...sql: ReadonlyArray<string>) => {
      for (const statement of sql) await askDatabase(owner, statement)
      return examine(urlOf(service), await httpsServer(new Date()))
    }
    expect(await look(`REVOKE INSERT, UPDATE ON payment_intents FROM ${role}`)).toMatchObject({
      states: expect.arrayContaining(["rights failed", "migrations ok"]),
      rights: expect.stringMatching(/lacks rights: INSERT, UPDATE on payment_intents\.$/),
    })
    const back = `GRANT INSERT, UPDATE ON payment_intents TO ${role}`
    expect(await look(back, `GRANT DELETE, UPDATE ON postings TO ${role}`)).toMatchObject({
      states: expect.arrayContaining(["rights warning"]),
      rights: expect.stringMatching(/must not have: DELETE, UPDATE on postings\.$/),
    })
    expect(await look(`REVOKE SELECT ON documents FROM ${role}`)).toMatchObject({
      states: expect.arrayContaining(["rights failed", "audit skipped", "keys skipped"]),
      messages: expect.arrayContaining(["keys The key ring could not be read."]),
    })
    await look(`GRANT SELECT ON documents TO ${role}`)
    const newer = `INSERT INTO payport_schema (id, name, beside)
      SELECT max(id) + 1, 'next', max(id) FROM payport_schema`
    expect(await look(`REVOKE DELETE, UPDATE ON postings FROM ${role}`, newer)).toMatchObject({
      states: expect.arrayContaining(["rights ok", "migrations warning"]),
      migrations: expect.stringContaining("may run beside"),
    })
    expect(await look("ALTER TABLE postings DISABLE TRIGGER ALL")).toMatchObject({
      code: 1,
      states: expect.arrayContaining(["triggers failed"]),
      messages: expect.arrayContaining([
        "triggers Triggers of the tables are disabled: " +
          "postings_added on postings; postings_kept on postings.",
      ]),
    })
    const [entry, hash] = [crypto.randomUUID(), "a".repeat(64)]
    const content = { id: `aud_${entry}`, action: "a", actor: "b", target: "c" }
    // The second time, the head has the hash of the last entry, and another number.
    const cuts = [
      "ALTER TABLE audit_head DISABLE TRIGGER ALL; UPDATE audit_head SET sequence = 7",
      "ALTER TABLE audit_entries DISABLE TRIGGER ALL; INSERT INTO audit_entries VALUES" +
        ` ('${entry}', 3, '${hash}', '${hash}', '${"s".repeat(86)}', 'a', 'b', 'c',` +
        ` '${JSON.stringify(content)}'); UPDATE audit_head SET hash = '${hash}'`,
    ]
    for (const cut of cuts) {
      expect(await look(...cut.split("; "))).toMatchObject({
        states: expect.arrayContaining(["audit failed"]),
      })
    }
  })

  test("looks at every server of several", async () => {
    const url = new URL(await databaseUrl(testDatabase))
    const { hostname, port, searchParams } = url
    searchParams.set("host", `${searchParams.get("host") ?? hostname},127.0.0.1`)
    searchParams.set("port", `${searchParams.get("port") ?? port},${await freePort()}`)
    const found = await examine(String(url), await httpsServer(new Date()))
    expect(found.states.filter((state) => state.startsWith("database"))).toEqual([
      "database ok",
      "database ok",
      "database warning",
    ])
  })

  test("looks at every certificate that is depended on, and for misspelt settings", async () => {
    const at = new Date()
    const replica = await postgresServer("S", at)
    const place = `${replica.host}:${replica.port}`
    const [sms, model] = [await httpsServer(at), await httpsServer(at)]
    const url = await databaseUrl(testDatabase)
    const { messages } = await examine(url, await httpsServer(at), {
      PAYPORT_REPLICA_URL: `postgresql://someone:hush@${place}/payport?sslmode=require`,
      PAYPORT_SMS_URL: sms,
      PAYPORT_SMS_SECRET: "s".repeat(16),
      PAYPORT_LANGUAGE_MODEL: "openai:some",
      PAYPORT_LANGUAGE_URL: model,
      PAYPORT_LANGUAGE_KEY: "k",
      PAYPORT_ARCHVE_DIR: "/var/lib/payport-archive",
    })
    const about = messages.filter((message) => message.startsWith("certificates"))
    for (const server of [place, new URL(sms).host, new URL(model).host]) {
      expect(about.filter((message) => message.includes(server))).toHaveLength(1)
    }
    expect(messages).toContain(
      "settings PAYPORT_ARCHVE_DIR is not a setting and has no effect. " +
        "Is PAYPORT_ARCHIVE_DIR meant?",
    )
  })

  test("finds files that a start, or a worker, cannot use", async () => {
    const url = await databaseUrl(testDatabase)
    const folder = await temporaryFolder()
    const at = (name: string) => join(folder, name)
    const reviewer = { roles: ["review"], key_sha256: "a".repeat(64) }
    await writeFile(at("one.json"), JSON.stringify({ operators: { ann: reviewer } }))
    await writeFile(at("broken.json"), "{")
    const look = async (operators: string, place: string) => {
      const { code, messages } = await examine(url, "http://localhost:4020", {
        PAYPORT_OPERATORS: at(operators),
        PAYPORT_AUDIT_HEADS: join(place, "heads.ndjson"),
        PAYPORT_ARCHIVE_DIR: place,
      })
      return [code, messages.filter((message) => message.startsWith("settings PAYPORT_"))]
    }
    const none = at("none")
    expect(await look("broken.json", none)).toEqual([
      1,
      [
        `settings PAYPORT_OPERATORS: ${at("broken.json")}: the file has to be JSON.`,
        `settings PAYPORT_AUDIT_HEADS: ${join(none, "heads.ndjson")} cannot be written (ENOENT).`,
        `settings PAYPORT_ARCHIVE_DIR: ${none} cannot be read (ENOENT): no old data is removed.`,
      ],
    ])
    const few = await examine(url, "http://localhost:4020", { PAYPORT_OPERATORS: at("one.json") })
    expect(few.messages).toContain(
      `settings ${at("one.json")} has fewer than two operators with the role review. ` +
        "What needs two is refused.",
    )
    const other = { ...reviewer, key_sha256: "b".repeat(64) }
    await writeFile(at("two.json"), JSON.stringify({ operators: { ann: reviewer, bo: other } }))
    expect(await look("two.json", folder)).toEqual([0, []])
  })

  test("finds the master key that a start would refuse, and makes none", async () => {
    const PAYPORT_DATABASE_URL = await databaseUrl(testDatabase)
    const PAYPORT_DATA_DIR = await temporaryFolder()
    const settings = { PAYPORT_DATA_DIR, PAYPORT_DATABASE_URL }
    await stop(await startOn(PAYPORT_DATA_DIR, settings))
    const lineOf = async (more: { readonly [name: string]: string } = {}) => {
      const command = start({ ...settings, ...more }, "doctor")
      const code = await command.ended
      return [code, command.stdout().match(/^\w+ +keys .*$/m)?.[0] ?? ""]
    }
    const empty = await temporaryFolder()
    expect(await lineOf()).toEqual([0, expect.stringMatching(/^ok .* mk_\w+ opens this database/)])
    const missing = await lineOf({ PAYPORT_DATA_DIR: empty })
    expect(missing).toEqual([1, expect.stringMatching(/^failed .* mk_\w+, and there is none/)])
    expect(await readdir(empty)).toEqual([])
    const other = await lineOf({ PAYPORT_MASTER_KEY: randomBytes(32).toString("base64") })
    expect(other).toEqual([1, expect.stringMatching(/^failed .* has to be the key that sealed/)])
  })

  test("warns of a database that the service has not set up yet, in words", async () => {
    const PAYPORT_DATABASE_URL = await databaseUrl(emptyDatabase)
    const PAYPORT_DATA_DIR = await temporaryFolder()
    const command = start({ PAYPORT_DATA_DIR, PAYPORT_DATABASE_URL }, "doctor")
    expect([await command.ended, command.stderr()]).toEqual([0, ""])
    expect(command.stdout()).toMatch(
      /^warning {2}migrations {4}The database lacks the schema steps 1,/m,
    )
    expect(command.stdout()).toMatch(/^ {23}Start the service/m)
    expect(command.stdout()).toMatch(/^skipped {2}backlog/m)
  })
})
