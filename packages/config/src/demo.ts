import type { EnvironmentProblem } from './environment.ts'

/** What a demo must not reach: it deletes whatever it has. */
const excluded = ['DATABASE_URL', 'REDIS_URL', 'S3_BUCKET'] as const

/** A demo is one process with a database and files of its own, all of which it deletes each hour. */
export function findDemoProblems(
  data: { DEMO?: '1' | undefined } & { [N in (typeof excluded)[number]]?: string | undefined },
  { runsEverything }: { runsEverything: boolean },
): EnvironmentProblem[] {
  if (data.DEMO === undefined) return []
  const problems = excluded
    .filter((name) => data[name] !== undefined)
    .map((name) => ({
      variable: 'DEMO',
      message: `cannot be combined with ${name}: a demo deletes all its data each hour`,
    }))
  if (!runsEverything) {
    problems.push({ variable: 'DEMO', message: 'requires SERVICES to be "all"' })
  }
  return problems
}
