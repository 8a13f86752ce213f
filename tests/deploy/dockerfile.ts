import { DockerfileParser, type Copy, type From, type Instruction } from 'dockerfile-ast'

export interface DockerStage {
  name: string
  /** An image, or the name of a stage before it. */
  base: string
  steps: DockerStep[]
}

export interface DockerStep {
  keyword: string
  /** As written, with continued lines joined and without the flags. */
  text: string
  /** Of `COPY` the sources and the destination, of others the words. */
  words: string[]
  /** `--from=build` is `from` → `build`. */
  flags: Map<string, string>
  /** Of the JSON form of `CMD` and `HEALTHCHECK`. */
  command: string[]
}

/** What a Dockerfile says, with the values of its arguments in place. */
export function readDockerfile(content: string): DockerStage[] {
  const stages: DockerStage[] = []
  for (const instruction of DockerfileParser.parse(content).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') {
      const from = instruction as From
      const base = instruction.getExpandedArguments()[0]?.getValue() ?? ''
      stages.push({ name: from.getBuildStage() ?? '', base, steps: [] })
    } else {
      stages.at(-1)?.steps.push(readStep(instruction))
    }
  }
  return stages
}

function readStep(instruction: Instruction): DockerStep {
  const flags = 'getFlags' in instruction ? (instruction as Copy).getFlags() : []
  const words = instruction.getArguments().map((argument) => argument.getValue())
  const isFlag = (word: string) => flags.some((flag) => word === flag.toString())
  const written = (instruction.getArgumentsContent() ?? '').replace(/\\\r?\n\s*/g, '')
  let text = written
  for (const flag of flags) text = text.replace(flag.toString(), '').trimStart()
  const list = /(\[.*\])\s*$/s.exec(text)?.[1]
  return {
    keyword: instruction.getKeyword(),
    text,
    words: words.filter((word) => !isFlag(word)),
    flags: new Map(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
    command: list === undefined ? [] : (JSON.parse(list) as string[]),
  }
}

/** The step of the stage or of those it is built on; what comes later counts. */
export function findStep(
  stages: readonly DockerStage[],
  name: string,
  keyword: string,
): DockerStep | undefined {
  const stage = stages.find((one) => one.name === name)
  if (stage === undefined) return undefined
  return (
    stage.steps.findLast((step) => step.keyword === keyword) ??
    findStep(stages, stage.base, keyword)
  )
}
