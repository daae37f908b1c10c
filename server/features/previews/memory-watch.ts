// A thread that ends its process when that holds more memory than it may, whatever the process is busy with.

const WATCH_EVERY = 20
const most = Number(process.argv[2])
// Not a signal that others send, where there are several: the server tells by it who ended the process.
const signal = process.platform === 'win32' ? 'SIGKILL' : 'SIGUSR2'

setInterval(() => {
  if (process.memoryUsage.rss() > most) process.kill(process.pid, signal)
}, WATCH_EVERY)
