import { execFile, spawn } from "node:child_process"
import { access, readdir, readFile } from "node:fs/promises"
import { createConnection } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, onTestFinished, test } from "vitest"
import { parseAllDocuments } from "yaml"
import { Result } from "effect"
import { operations } from "../../../adapters/http/contract/operations.ts"
import { connectionOf } from "../../../adapters/postgres/ConnectionUrl.ts"
import { help, helpFor } from "../../../apps/server/settings.ts"
import { V8_FLAGS } from "../../../apps/server/v8Flags.ts"
import { stagesOf } from "../../support/dockerfile.ts"
import { projectRoot, sourceText } from "../../support/sourceFiles.ts"
import { startDatabase } from "./database.ts"
import { temporaryFolder } from "./service.ts"

const folder = "apps/server/deploy"
const dockerfile = await sourceText(`${folder}/Dockerfile`)
const unit = await sourceText(`${folder}/payport@.service`)
const manifests = await sourceText(`${folder}/kubernetes.yaml`)
const { engines, scripts } = JSON.parse(await sourceText("package.json")) as {
  readonly engines: { readonly node: string }
  readonly scripts: { readonly start: string }
}

const stages = stagesOf(dockerfile)
const final = stages.at(-1) ?? []
const said = (word: string) => final.findLast((one) => one.word === word)?.rest ?? ""
const command = JSON.parse(said("CMD")) as ReadonlyArray<string>

const settingsIn = (text: string) => new Set(text.match(/PAYPORT_[A-Z_]+/g))
const known = settingsIn(help)

describe("every setting that is named in", () => {
  test.each(["Dockerfile", "payport@.service", "environment", "kubernetes.yaml"])(
    "%s is one",
    async (file) => {
      const named = settingsIn(await sourceText(`${folder}/${file}`))
      expect(named.size).toBeGreaterThan(0)
      expect([...named].filter((name) => !known.has(name))).toEqual([])
    },
  )
})

test("the environment's settings are read by the unit's service", async () => {
  const lines = (await sourceText(`${folder}/environment`)).matchAll(/^(PAYPORT_\w+)=(.*)$/gm)
  const url = new Map([...lines].map(([, name, value]) => [name, value])).get(
    "PAYPORT_DATABASE_URL",
  )
  expect(Result.isSuccess(connectionOf((url ?? "").replace("…", "secret")))).toBe(true)
  // `api,worker` is no name of a unit as it is: systemd escapes it, and %I is without the escapes.
  expect(unit).toContain("PAYPORT_ROLES=%I ")
  // Its other processes are stopped by the first one, and not at the same time.
  expect(unit).toMatch(/^KillMode=mixed$/m)
})

describe("the Dockerfile", () => {
  test("has instructions that are some, and copies what is there", async () => {
    const words = ["FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "EXPOSE", "STOPSIGNAL", "CMD"]
    for (const { rest, word } of stages.flat()) {
      expect(words).toContain(word)
      if (word !== "COPY" || rest.startsWith("--from=build ")) continue
      for (const source of rest.split(" ").slice(0, -1)) await access(join(projectRoot, source))
    }
    const ignored = await sourceText(`${folder}/Dockerfile.dockerignore`)
    const sources = stages[0]!.flatMap(({ rest, word }) =>
      word === "COPY" ? rest.split(" ").slice(0, -1) : [],
    )
    expect(
      sources.filter((source) => !ignored.includes(`\n!${source.split("/")[0] ?? ""}\n`)),
    ).toEqual([])
  })

  test("runs as somebody who is not root, on the Node that the project wants", () => {
    expect(said("USER")).toBe("node")
    const major = /\d+/.exec(engines.node)?.[0]
    for (const [{ rest } = { rest: "" }] of stages) expect(rest).toContain(`node:${major}-`)
  })

  test("starts what npm start and the unit start", () => {
    // payport.js is main.js with V8's flags, as `help.test.ts` tests.
    expect(scripts.start).toBe("exec node dist/apps/server/payport.js")
    expect(command).toEqual(["node", ...V8_FLAGS, "dist/apps/server/main.js"])
    expect(unit).toContain(`\nExecStart=/usr/bin/${command.join(" ")}\n`)
  })

  test("is built by what the guide says for systemd", async () => {
    const commands = stages[0]!.flatMap(({ rest, word }) => (word === "RUN" ? [rest] : []))
    const [install = "", build = ""] = commands.map((line) => line.replaceAll(/\s+/g, " "))
    const guide = await sourceText("apps/server/operations/install.md")
    expect(guide).toContain(`\`${[install, ...build.split(" && ").slice(0, 2)].join(" && ")}\``)
  })
})

interface Container {
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
  readonly env: ReadonlyArray<{ readonly name: string; readonly value?: string }>
  readonly ports?: ReadonlyArray<{ readonly name: string; readonly containerPort: number }>
  readonly args?: ReadonlyArray<string>
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly selector?: { readonly [key: string]: unknown }
    readonly ports?: ReadonlyArray<{ readonly targetPort: string }>
    readonly maxUnavailable?: number
    readonly replicas?: number
    readonly template?: {
      readonly metadata: { readonly labels: { readonly [name: string]: string } }
      readonly spec: {
        readonly enableServiceLinks?: boolean
        readonly containers: ReadonlyArray<Container>
        readonly terminationGracePeriodSeconds?: number
      }
    }
  }
}

const documents = parseAllDocuments(manifests)
const all = documents.map((document) => document.toJS() as Manifest)
const kind = (name: string) => all.filter((one) => one.kind === name)
const exposed = said("EXPOSE").split(" ").map(Number)

describe("the manifests", () => {
  test("are YAML, of the kinds that the guide names", () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([])
    expect(all.map((one) => one.kind).toSorted()).toEqual([
      "Deployment",
      "Deployment",
      "Job",
      "PodDisruptionBudget",
      "PodDisruptionBudget",
      "Service",
    ])
  })

  test("probe paths that are served, on ports that are open", () => {
    const paths = Object.values(operations.endpoints).map(({ path }): string => path)
    for (const { spec } of kind("Deployment")) {
      const [container] = spec.template!.spec.containers
      const names = container!.ports!.map(({ name }) => name)
      for (const { containerPort } of container!.ports!) expect(exposed).toContain(containerPort)
      for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"] as const) {
        expect(paths).toContain(container![probe].httpGet.path)
        expect(names).toContain(container![probe].httpGet.port)
      }
      expect(container!.livenessProbe.httpGet.path).toBe("/healthz")
      expect(container!.readinessProbe.httpGet.path).toBe("/readyz")
      expect(spec.template!.spec.terminationGracePeriodSeconds).toBeGreaterThan(15)
    }
  })

  test("select the pods that there are, and keep some of each role", () => {
    const pods = kind("Deployment").map(({ spec }) => spec.template!.metadata.labels)
    const [service] = kind("Service")
    expect(pods).toContainEqual(service!.spec.selector)
    expect(service!.spec.ports!.map(({ targetPort }) => targetPort)).toEqual(["http"])
    const [api] = kind("Deployment").map(({ spec }) => spec.template!.spec.containers[0]!)
    const operators = api!.env.find(({ name }) => name === "PAYPORT_ADMIN_PORT")?.value
    const port = api!.ports!.find(({ containerPort }) => containerPort === Number(operators))
    expect(port?.name).toBe("operators")
    for (const { spec } of kind("PodDisruptionBudget")) {
      expect(pods).toContainEqual(spec.selector?.["matchLabels"])
      expect(spec.maxUnavailable).toBe(1)
    }
    for (const { spec } of kind("Deployment")) expect(spec.replicas).toBeGreaterThan(1)
  })

  test("keep the variables that Kubernetes makes of a Service's name from the settings", () => {
    const names = kind("Service").map(({ metadata }) => metadata.name.toUpperCase())
    expect(names.filter((name) => known.has(`${name}_PORT`))).not.toEqual([])
    for (const { spec } of [...kind("Deployment"), ...kind("Job")]) {
      expect(spec.template!.spec.enableServiceLinks).toBe(false)
    }
  })

  test("migrate by the command that there is", () => {
    const [container] = kind("Job")[0]!.spec.template!.spec.containers
    expect(container!.args).toEqual(["node", command.at(-1), "migrate"])
    expect(helpFor("migrate")).toContain("Creates or updates the tables")
  })
})

const unshare = ["--fork", "--pid", "--kill-child"]
const mayUnshare = await promisify(execFile)("unshare", [...unshare, "true"]).then(
  () => true,
  () => false,
)

const firstChild = async (pid: number): Promise<number> =>
  Number((await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ")[0])

/** Sends half a request, and gives the way to send the rest and hear the answer. */
const halfRequest = async (url: string, key: string) => {
  const { hostname, port } = new URL(url)
  const socket = createConnection(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let answer = ""
  socket.setEncoding("utf8").on("data", (text: string) => (answer += text))
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  const head = "POST /v1/services HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
  await new Promise<void>((resolve) => {
    socket.write(
      `${head}Connection: close\r\nAuthorization: Bearer ${key}\r\nContent-Length: 2\r\n\r\n{`,
      () => resolve(),
    )
  })
  return async () => {
    socket.write("}")
    await closed
    return answer
  }
}

test.runIf(mayUnshare)(
  "the image's command drains as process 1 and exits with 0",
  async () => {
    const [program, ...args] = command.slice(0, -1)
    const data = await temporaryFolder()
    expect(program).toBe("node")
    const child = spawn("unshare", [...unshare, process.execPath, ...args, "apps/server/main.ts"], {
      cwd: projectRoot,
      env: {
        PATH: process.env["PATH"],
        PAYPORT_PORT: "0",
        PAYPORT_DATA_DIR: data,
        PAYPORT_DATABASE_URL: await startDatabase(),
      },
      stdio: ["ignore", "pipe", "ignore"],
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    const ended = new Promise((resolve) => child.once("exit", resolve))
    const url = await new Promise<string>((resolve) => {
      let text = ""
      child.stdout.setEncoding("utf8").on("data", (more: string) => {
        text += more
        const ready = /payport ready on (\S+)\n/.exec(text)
        if (ready !== null) resolve(ready[1] ?? "")
      })
    })
    const key = (await readFile(join(data, "demo-seller.key"), "utf8")).trim()
    const finish = await halfRequest(url, key)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const first = await firstChild(child.pid!)
    expect(await readFile(`/proc/${first}/status`, "utf8")).toMatch(/^NSpid:.*\t1$/m)
    process.kill(first, "SIGTERM")
    // It has heard the signal as soon as it says so, or takes no new connection.
    while (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    ) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await finish()).toMatch(/^HTTP\/1.1 422 [^]*MISSING_REQUIRED_FIELD/)
    expect(await ended).toBe(0)
  },
  120_000,
)

test("the guide names every file of the folder", async () => {
  const guide = await sourceText("apps/server/operations/install.md")
  const files = (await readdir(join(projectRoot, folder))).filter((file) => !file.startsWith("D"))
  for (const file of files) expect(guide).toContain(file.replace(/\.service$/, ""))
})
