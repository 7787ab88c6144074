import { Redacted, Result } from "effect"
import { describe, expect, test } from "vitest"
import { connectionOf } from "../../../adapters/postgres/ConnectionUrl.ts"

const read = (url: string, environment?: { readonly [variable: string]: string }) => {
  const settings = Result.getOrThrow(connectionOf(url, environment))
  const { password, ...rest } = settings
  return { ...rest, ...(password && { password: Redacted.value(password) }) }
}

const problem = (url: string, environment?: { readonly [variable: string]: string }) =>
  Result.getOrThrow(Result.flip(connectionOf(url, environment)))

const PLAIN = {
  host: "db.example",
  port: 5432,
  targetSession: "any",
  username: "me",
  database: "me",
  tls: { mode: "prefer" },
}

describe("a database's URL", () => {
  test.each([
    ["postgresql://me@db.example", {}],
    ["postgres://me@db.example:5433/shop", { port: 5433, database: "shop" }],
    ["postgresql://me:a%40b%25@db.example", { password: "a@b%" }],
    ["postgresql://me@[2001:db8::1]:5433", { host: "2001:db8::1", port: 5433 }],
    ["postgresql://me@%2Frun%2Fdb/shop", { host: "/run/db", database: "shop" }],
    [
      "postgresql:///shop?user=me&host=/run/db&port=5433",
      {
        host: "/run/db",
        port: 5433,
        database: "shop",
      },
    ],
    ["postgresql://me@", { host: "localhost" }],
    [
      "postgresql://me@a:1,[::1]:2,c/shop",
      {
        host: "a",
        port: 1,
        database: "shop",
        targetSession: "read-write",
        otherServers: [
          { host: "::1", port: 2 },
          { host: "c", port: 5432 },
        ],
      },
    ],
    [
      "postgresql://me@a,b:5433?target_session_attrs=any",
      {
        host: "a",
        otherServers: [{ host: "b", port: 5433 }],
      },
    ],
    [
      "postgresql://me@/?host=a,b&port=5433",
      {
        host: "a",
        port: 5433,
        otherServers: [{ host: "b", port: 5433 }],
        targetSession: "read-write",
      },
    ],
    ["postgresql://me@db.example?target_session_attrs=primary", { targetSession: "read-write" }],
    ["postgresql://me@db.example?sslmode=allow", {}],
    ["postgresql://me@db.example?sslmode=require", { tls: { mode: "require" } }],
    [
      "postgresql://me@db.example?sslmode=require&sslrootcert=/ca.pem",
      {
        tls: { mode: "verify-ca", rootCertificate: "/ca.pem" },
      },
    ],
    [
      "postgresql://me@db.example?sslrootcert=system",
      {
        tls: { mode: "verify-full", rootCertificate: "system" },
      },
    ],
    [
      "postgresql://me@db.example?sslmode=disable&sslcert=c.pem&sslkey=k.pem",
      {
        tls: { mode: "disable", certificate: "c.pem", key: "k.pem" },
      },
    ],
    [
      "postgresql://me@db.example?options=-c%20search_path%3Dmine&application_name=shop",
      {
        startupOptions: "-c search_path=mine",
        applicationName: "shop",
      },
    ],
    ["postgresql://me@db.example?connect_timeout=7&channel_binding=prefer", { connectTimeout: 7 }],
  ])("is read as libpq reads it: %s", (url, said) => {
    expect(read(url)).toEqual({ ...PLAIN, ...said })
  })

  test("leaves to the PG* variables what it does not say", () => {
    const environment = {
      PGHOST: "elsewhere",
      PGPORT: "5433",
      PGUSER: "me",
      PGPASSWORD: "word",
      PGDATABASE: "",
      PGSSLMODE: "disable",
    }
    const said = { port: 5433, password: "word", tls: { mode: "disable" } }
    expect(read("postgresql://", environment)).toEqual({ ...PLAIN, ...said, host: "elsewhere" })
    expect(read("postgresql://db.example", environment)).toEqual({ ...PLAIN, ...said })
  })

  test.each([
    ["postgresql://db.example", /name the user/],
    ["postgresql://me:wo/rd@db.example", /host:port|percent-encoded/],
    ["postgresql://me:wo#rd@db.example", /percent-encoded/],
    ["postgresql://me:12/34@db.example", /percent-encoded/],
    ["postgresql://me:%zz@db.example", /percent sign/],
    ["postgresql://me@2001:db8::1", /host:port/],
    ["postgresql://me@db.example:0", /1 to 65535/],
    ["postgresql://me@db.example:65536", /1 to 65535/],
    ["postgresql://me@a,b,c/?port=1,2", /as many as there are hosts/],
    ["postgresql://me@db.example?ssl_mode=require", /parameter/],
    ["postgresql://me@db.example?sslmode=on", /sslmode of disable, allow, prefer/],
    ["postgresql://me@db.example?sslmode=verify-full", /sslrootcert/],
    ["postgresql://me@db.example?sslmode=require&sslrootcert=system", /verify-full/],
    ["postgresql://me@db.example?sslcert=c.pem", /both/],
    ["postgresql://me@db.example?channel_binding=require", /channel_binding/],
    ["postgresql://me@db.example?target_session_attrs=standby", /target_session_attrs/],
    ["postgresql://me@db.example?connect_timeout=0", /connect_timeout/],
  ])("that is wrong is refused with what to write: %s", (url, said) => {
    expect(problem(url)).toMatch(said)
  })

  test("is never quoted", () => {
    for (const url of ["postgresql://me:secret@h:x", "postgresql://me:secret@h?secret=secret"]) {
      expect(problem(url)).not.toContain("secret@")
      expect(problem(url)).not.toContain("secret=")
    }
  })
})
