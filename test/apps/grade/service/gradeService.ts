import { serviceGrader } from "../../../../apps/grade/service/grader.ts"
import { gradeAs } from "../grade.ts"
import type { serveService } from "./subject.ts"

/** Runs take long, since clocks are moved by days, and receivers are waited for. */
export const LONG = { timeout: 120_000 }

type Served = Pick<Awaited<ReturnType<typeof serveService>>, "admin" | "url">

/** Grades a service that accounts can be opened at. */
export const grade = ({ admin, url }: Served, ...args: ReadonlyArray<string>) =>
  gradeAs(serviceGrader, url, "--admin-key", admin, ...args)

/** The same by some checks alone, and without a world. */
export const gradeBy = (served: Served, ids: ReadonlyArray<string>) =>
  grade(served, "--payments", "0", "--only", ids.join())
