import { cp, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type Instruction, stagesOf } from "../support/dockerfile.ts"
import { projectRoot, sourceText } from "../support/sourceFiles.ts"
import { bytesOf, run, start } from "./Scratch.ts"

const FROM_BUILD = "--from=build "

/** The image's working folder, which paths of another stage begin with. */
const IN_IMAGE = "/payport/"

/** The files that `Dockerfile.dockerignore` excludes. */
const ignored = (path: string) => /\/node_modules$|\.tsbuildinfo$/.test(path)

const copy = async (rest: string, from: string, to: string): Promise<void> => {
  const ofBuild = rest.startsWith(FROM_BUILD)
  const paths = rest.replace(FROM_BUILD, "").split(" ")
  const target = join(to, paths.at(-1) ?? "")
  for (const named of paths.slice(0, -1)) {
    const source = ofBuild ? named.replace(IN_IMAGE, "") : named
    const intoFolder = /(?:^|\/)\.?\/?$/.test(paths.at(-1) ?? "")
    const path = intoFolder ? join(target, source.split("/").at(-1) ?? "") : target
    await mkdir(dirname(path), { recursive: true })
    const filter = (file: string) => ofBuild || !ignored(file)
    await cp(join(from, source), path, { recursive: true, filter, verbatimSymlinks: true })
  }
}

const build = async (stage: ReadonlyArray<Instruction>, folder: string): Promise<void> => {
  for (const { rest, word } of stage) {
    if (word === "COPY") await copy(rest, projectRoot, folder)
    if (word === "RUN") await run("sh", ["-c", rest], { cwd: folder })
  }
}

/** Requests to a service that an image has started, with the expected statuses. */
const ASKED = { "/readyz": 200, "/": 200, "/docs": 200, "/openapi.json": 200, "/pay/x": 404 }

/**
 * Runs the Dockerfile's own commands in folders of this machine instead of an image, and starts the
 * program of the last one. Omits the last stage's `RUN`, which makes a folder for a user of the
 * image's system. Returns what is wrong, and the bytes that the image adds to Node's.
 */
export const tryImage = async (database: string) => {
  const [first = [], last = []] = stagesOf(await sourceText("apps/server/deploy/Dockerfile"))
  const folder = await mkdtemp(join(tmpdir(), "payport-image-"))
  const [built, image, data] = ["build", "image", "data"].map((name) => join(folder, name))
  if (built === undefined || image === undefined || data === undefined) throw new Error("no folder")
  try {
    for (const made of [built, image, data]) await mkdir(made)
    await build(first, built)
    for (const { rest, word } of last) if (word === "COPY") await copy(rest, built, image)
    const command = last.findLast(({ word }) => word === "CMD")?.rest ?? "[]"
    const [program = "", ...args] = JSON.parse(command) as ReadonlyArray<string>
    const env = {
      NODE_ENV: "production",
      PAYPORT_PORT: "0",
      PAYPORT_DATA_DIR: data,
      PAYPORT_DATABASE_URL: database,
      // An example has its payport in the same database, under another master key.
      PAYPORT_DATABASE_SCHEMA: "image",
    }
    const { line, stop } = await start(program, args, { cwd: image, env }, /http:\/\/[\d.]+:\d+/)
    const flaws: Array<string> = []
    for (const [path, status] of Object.entries(ASKED)) {
      const answer = await fetch(`${line[0]}${path}`)
      if (answer.status !== status) flaws.push(`the image: ${path} is ${answer.status}`)
    }
    await stop()
    return { flaws, bytes: await bytesOf(image) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
