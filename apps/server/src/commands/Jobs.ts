/** `lectern jobs` and `lectern jobs retry`: lists background jobs and retries failed ones. */
import { JobId, type JobRow, JobStatus } from "@lectern/core/job/Job"
import { Jobs as BackgroundJobs } from "@lectern/core/job/Jobs"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { dataFlags } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

/** Maximum number of jobs of each status in a list, and of jobs in a retry. */
const limit = 1_000

/** Statuses that are listed by default: all except `done`. */
const defaultStatuses: ReadonlyArray<JobStatus> = ["failed", "running", "waiting"]

const kind = Flag.String("kind").pipe(Flag.withDescription("List or retry only jobs of this kind"), Flag.optional)

/** Returns a job in its JSON form. */
const present = ({ id, kind, status, attempts, lease, failure, createdAt, updatedAt }: JobRow) => ({
  id,
  kind,
  status,
  attempts,
  ...(status === "waiting" && { nextRunAt: lease.until }),
  ...(failure !== undefined && { failure }),
  createdAt,
  updatedAt
})

const formatJob = (job: ReturnType<typeof present>): string =>
  [
    job.id,
    job.status,
    job.kind,
    `${job.attempts} ${job.attempts === 1 ? "attempt" : "attempts"}`,
    job.nextRunAt && `next ${job.nextRunAt}`,
    job.failure && `last failure: ${job.failure.replace(/\s+/g, " ").trim()}`
  ]
    .filter(Boolean)
    .join("  ")

const listed = Effect.fnUntraced(function* (statuses: ReadonlyArray<JobStatus>, kind: Option.Option<string>) {
  const jobs = yield* BackgroundJobs
  const jobsByStatus = yield* Effect.forEach(statuses, (status) =>
    jobs.list({ status, limit, ...(Option.isSome(kind) && { kind: kind.value }) })
  )
  return jobsByStatus.flat()
})

const retry = Command.make(
  "retry",
  {
    ...dataFlags,
    id: Argument.String("id").pipe(
      Argument.withDescription("Id of a failed job, see: lectern jobs"),
      Argument.optional
    ),
    all: Flag.Boolean("all").pipe(Flag.withDescription("Retry all failed jobs"), Flag.withDefault(false)),
    kind
  },
  (given) =>
    operate(
      given,
      Effect.gen(function* () {
        const jobs = yield* BackgroundJobs
        if (Option.isSome(given.id) === (given.all || Option.isSome(given.kind))) {
          return yield* new CommandFailed({ message: "Specify the id of a job, --all, or --kind" })
        }
        const failed = Option.isSome(given.id)
          ? [yield* failedJob(given.id.value)]
          : yield* listed(["failed"], given.kind)
        const retried: Array<JobRow> = []
        for (const { id } of failed) if (yield* jobs.retry(id)) retried.push((yield* jobs.get(id))!)
        if (Option.isSome(given.id) && retried.length === 0) {
          return yield* new CommandFailed({ message: `The job ${given.id.value} is superseded by another job` })
        }
        return {
          json: { retried: retried.map(present) },
          text: retried.length === 0 ? "Nothing to retry" : retried.map((job) => formatJob(present(job))).join("\n")
        }
      })
    )
).pipe(Command.withDescription("Retry failed jobs, with all their attempts"))

const failedJob = Effect.fnUntraced(function* (id: string) {
  const job = yield* (yield* BackgroundJobs).get(JobId.make(id))
  if (job === undefined) return yield* new CommandFailed({ message: `There is no job ${id}` })
  if (job.status !== "failed") {
    return yield* new CommandFailed({ message: `The job is ${job.status}: only failed jobs can be retried` })
  }
  return job
})

export const Jobs = Command.make(
  "jobs",
  {
    ...dataFlags,
    status: Flag.Literals("status", JobStatus.literals).pipe(
      Flag.withDescription("List only jobs with this status. Default: all except done"),
      Flag.optional
    ),
    kind
  },
  (given) =>
    operate(
      given,
      Effect.gen(function* () {
        const jobs = yield* listed(Option.isSome(given.status) ? [given.status.value] : defaultStatuses, given.kind)
        const rows = jobs.map(present)
        return { json: { jobs: rows }, text: rows.length === 0 ? "No jobs" : rows.map(formatJob).join("\n") }
      })
    )
).pipe(Command.withDescription("List background jobs, or retry failed ones"), Command.withSubcommands([retry]))
