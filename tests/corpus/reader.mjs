// Answers calls of published tables, a line of JSON for each: node reader.mjs MODULE HOST
import { createInterface } from "node:readline";
const [module, host] = process.argv.slice(2);
const { table } = await import(module);
const opened = new Map();
function open(name) {
    if (!opened.has(name)) opened.set(name, table(`${host}/${name}/`));
    return opened.get(name);
}
for await (const line of createInterface({ input: process.stdin })) {
    const [name, call] = JSON.parse(line);
    let answer;
    try {
        answer = [null, await open(name).then((puzzle) => eval(`puzzle.${call}`))];
    } catch (error) {
        answer = [`raise ${error.name}: ${error.message}`, { hint: error.hint }];
    }
    console.log(JSON.stringify(answer));
}
