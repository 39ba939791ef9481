// node salem_javascript.mjs idiomatic|packed GAMES WARM [PLAYERS...]: endings, mean decisions and rounds, games per second of CPU time.
// WARM games are played before any is measured: node goes on compiling for long.
const [which = "idiomatic", games = "40000", warm = "40000", ...seats] = process.argv.slice(2);
const { play, last } = await import(`./salem_${which}.mjs`);
const n = +games;
for (const players of seats.length ? seats.map(Number) : [2, 3, 4]) {
  const endings = {};
  let decisions = 0, rounds = 0;
  for (let seed = 0; seed < n; seed++) {
    const ending = play(players, seed);
    endings[ending] = (endings[ending] ?? 0) + 1;
    const l = last();
    decisions += l.decisions;
    rounds += l.rounds;
  }
  for (let seed = n; seed < +warm; seed++) play(players, seed);
  const start = process.cpuUsage();
  for (let seed = n; seed < 2 * n; seed++) play(players, seed);
  const { user, system } = process.cpuUsage(start);
  const speed = Math.round(n / ((user + system) / 1e6));
  console.log(`${which} ${players} players`, JSON.stringify(endings), "decisions", (decisions / n).toFixed(2),
    "rounds", (rounds / n).toFixed(3), "games/s", speed);
}
