import type { Command } from '../command.ts'
import { whoami } from './account.ts'
import { createCompletion } from './completion.ts'
import { get } from './get.ts'
import { login, logout } from './login.ts'
import { request } from './request.ts'
import { resume, send } from './send.ts'
import { extend, ls, open, rm } from './shares.ts'

const usual = {
  ...{ send, get, resume, ls, open, extend, rm, request },
  ...{ login, logout, whoami },
}

export const commands: Readonly<Record<string, Command>> = {
  ...usual,
  completion: createCompletion(usual),
}
