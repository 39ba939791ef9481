// Plays an ink story at random: node ink_story.js STORY.ink CHOICES; prints choices per second of processor time.
const fs = require("fs");
const { Compiler } = require("inkjs/full");

const story = new Compiler(fs.readFileSync(process.argv[2], "utf8")).Compile();
let state = 12345;

function below(count) {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return Math.floor((state / 0x80000000) * count);
}

function play(choices) {
  for (let i = 0; i < choices; i++) {
    story.ContinueMaximally();
    story.ChooseChoiceIndex(below(story.currentChoices.length));
  }
}

play(500);
const start = process.cpuUsage();
play(Number(process.argv[3]));
const used = process.cpuUsage(start);
console.log(Number(process.argv[3]) / ((used.user + used.system) / 1e6));
