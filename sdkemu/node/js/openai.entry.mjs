// The bundle's entry for openai-node; the bundler puts one version's package in the place of "sdk".
import OpenAI from 'sdk';
import * as errors from 'sdk/error';
import { Stream } from 'sdk/streaming';
import * as parser from 'sdk/lib/parser';
import * as partial from 'sdk/_vendor/partial-json-parser/parser';
import { adapter } from './openai.mjs';
import * as driver from './driver.mjs';

const sdk = adapter({ OpenAI, errors, parser, partial });
let progress = driver.newProgress();
driver.observe(Stream, () => progress);

// Begin starts the account of a new run and gives it.
export const begin = () => (progress = driver.newProgress());
export const run = (call) => driver.run(sdk, call, progress);
export const describe = (e) => driver.describe(e, sdk.classes);
export const atEvent = () => driver.atEvent(progress);
