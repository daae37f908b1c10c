// A Vitest reporter for npm test: writes the number of passed tests, and the names of those that failed or passed on a
// retry, to the file FILIGREE_VITEST_REPORT names.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from './repo.mjs'

export default class VitestReport {
  onTestRunEnd(modules) {
    const tests = modules.flatMap(module => [...module.children.allTests()])
    const withState = state => tests.filter(test => test.result().state === state)
    const passed = withState('passed')
    // A file that cannot be loaded has no tests; it counts as one failure.
    const unloaded = modules.filter(
      module => module.state() === 'failed' && [...module.children.allTests()].length === 0,
    )
    const report = {
      passed: passed.length,
      failures: [...withState('failed').map(nameOf), ...unloaded.map(module => relative(ROOT, module.moduleId))],
      flaky: passed.filter(test => test.diagnostic()?.flaky).map(nameOf),
    }
    writeFileSync(process.env.FILIGREE_VITEST_REPORT, JSON.stringify(report))
  }
}

const nameOf = test => `${relative(ROOT, test.module.moduleId)} › ${test.fullName}`
