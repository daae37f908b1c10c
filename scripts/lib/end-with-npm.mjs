// For `--import`, which threads of the program come by, too: a program that npm started ends when npm is gone.
import { isMainThread } from 'node:worker_threads'
import { endWithNpm } from './run.mjs'

if (isMainThread) endWithNpm()
