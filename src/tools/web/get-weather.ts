import { z } from "zod";
import { fenceUntrusted } from "../../text/untrusted.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Place } from "../../web/weather.ts";
import type { Web } from "../../web/web.ts";

const measure = z.object({ value: z.number(), unit: z.string() });

export const getWeather = (web: () => Web) =>
  defineTool({
    name: "getWeather",
    title: "Weather",
    description:
      "Current weather at a place: temperature, conditions, humidity and wind. Give a city, or latitude and longitude. Asks the person first, because it tells the weather service where to look.",
    category: "Utility",
    loading: "deferred",
    input: z
      .object({
        city: z.string().min(1).optional(),
        latitude: z.number().min(-90).max(90).optional(),
        longitude: z.number().min(-180).max(180).optional(),
      })
      .refine((input) => placeOf(input) !== undefined, {
        message: "Give a city, or both latitude and longitude.",
      }),
    output: z.object({
      place: z.string(),
      latitude: z.number(),
      longitude: z.number(),
      time: z.string().describe("Local time of the observation"),
      temperature: measure,
      feelsLike: measure,
      conditions: z.string(),
      humidity: measure,
      wind: measure.extend({ direction: z.string() }),
    }),
    can: ["fetch"],
    idempotent: true,
    effects: ({ latitude, longitude }) => {
      const isPlaced = latitude !== undefined && longitude !== undefined;
      // A city is looked up elsewhere first: a rule about either host holds.
      const urls = [
        ...(isPlaced ? [] : ["https://geocoding-api.open-meteo.com/"]),
        "https://api.open-meteo.com/",
      ];
      return urls.map((url) => ({ kind: "fetch" as const, url, method: "GET" }));
    },
    approval: "ask",
    execute: async (input, { signal }) => web().weather(placeOf(input) ?? { city: "" }, signal),
    render: ({ place, time, temperature, feelsLike, conditions, humidity, wind }) =>
      fenceUntrusted(
        `${place} at ${time}: ${temperature.value} ${temperature.unit} (feels like ${feelsLike.value} ${feelsLike.unit}), ` +
          `${conditions}, humidity ${humidity.value} ${humidity.unit}, wind ${wind.value} ${wind.unit} from ${wind.direction}`,
        "Open-Meteo",
      ),
    examples: [
      { title: "By city", input: { city: "Lisbon" } },
      { title: "By coordinates", input: { latitude: 59.91, longitude: 10.75 } },
    ],
  });

function placeOf(input: {
  city?: string | undefined;
  latitude?: number | undefined;
  longitude?: number | undefined;
}): Place | undefined {
  const { city, latitude, longitude } = input;
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  return city === undefined ? undefined : { city };
}
