import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { createService } from "./service.ts";

export interface WeatherSettings {
  /** Where Open-Meteo is reached, when not at its usual place. */
  geocodingUrl?: string | undefined;
  forecastUrl?: string | undefined;
}

export type Place = { city: string } | { latitude: number; longitude: number };

export interface Weather {
  place: string;
  latitude: number;
  longitude: number;
  /** Local time of the observation. */
  time: string;
  temperature: Measure;
  feelsLike: Measure;
  conditions: string;
  humidity: Measure;
  wind: Measure & { direction: string };
}

export interface Measure {
  value: number;
  unit: string;
}

/** Current weather from Open-Meteo, which needs no key. */
export function createWeather(
  settings: WeatherSettings,
): (place: Place, signal: AbortSignal) => Promise<Weather> {
  const geocoding = createService(
    "Open-Meteo",
    settings.geocodingUrl ?? "https://geocoding-api.open-meteo.com",
  );
  const forecast = createService("Open-Meteo", settings.forecastUrl ?? "https://api.open-meteo.com");

  const locate = async (city: string, signal: AbortSignal) => {
    const query = new URLSearchParams({ name: city, count: "1", language: "en", format: "json" });
    const { results } = await geocoding.json(`v1/search?${query}`, geocodingAnswer, { signal });
    const [found] = results;
    if (!found)
      throw new Failure(
        "INVALID_INPUT",
        `No place called '${city}' was found. Check the spelling, or give latitude and longitude.`,
      );
    const place = [found.name, found.admin1, found.country].filter(Boolean).join(", ");
    return { place, latitude: found.latitude, longitude: found.longitude };
  };

  return async (wanted, signal) => {
    const at =
      "city" in wanted
        ? await locate(wanted.city, signal)
        : { place: `${wanted.latitude}, ${wanted.longitude}`, ...wanted };
    const query = new URLSearchParams({
      latitude: String(at.latitude),
      longitude: String(at.longitude),
      current: Object.keys(forecastAnswer.shape.current.shape)
        .filter((name) => name !== "time")
        .join(","),
      timezone: "auto",
    });
    const { current, current_units: units } = await forecast.json(`v1/forecast?${query}`, forecastAnswer, {
      signal,
    });
    return {
      ...at,
      time: current.time,
      temperature: { value: current.temperature_2m, unit: units.temperature_2m },
      feelsLike: { value: current.apparent_temperature, unit: units.apparent_temperature },
      conditions: conditions.get(current.weather_code) ?? `weather code ${current.weather_code}`,
      humidity: { value: current.relative_humidity_2m, unit: units.relative_humidity_2m },
      wind: {
        value: current.wind_speed_10m,
        unit: units.wind_speed_10m,
        direction: compass[Math.round(current.wind_direction_10m / 45) % 8] ?? "",
      },
    };
  };
}

const geocodingAnswer = z.object({
  // Left out when nothing was found.
  results: z
    .array(
      z.object({
        name: z.string(),
        latitude: z.number(),
        longitude: z.number(),
        country: z.string().optional(),
        admin1: z.string().optional(),
      }),
    )
    .default([]),
});

const forecastAnswer = z.object({
  current: z.object({
    time: z.string(),
    temperature_2m: z.number(),
    apparent_temperature: z.number(),
    relative_humidity_2m: z.number(),
    weather_code: z.number(),
    wind_speed_10m: z.number(),
    wind_direction_10m: z.number(),
  }),
  current_units: z.object({
    temperature_2m: z.string(),
    apparent_temperature: z.string(),
    relative_humidity_2m: z.string(),
    wind_speed_10m: z.string(),
  }),
});

const compass = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/** The WMO codes that Open-Meteo uses. */
const conditions = new Map([
  [0, "clear sky"],
  [1, "mainly clear"],
  [2, "partly cloudy"],
  [3, "overcast"],
  [45, "fog"],
  [48, "fog with rime"],
  [51, "light drizzle"],
  [53, "drizzle"],
  [55, "heavy drizzle"],
  [56, "light freezing drizzle"],
  [57, "freezing drizzle"],
  [61, "light rain"],
  [63, "rain"],
  [65, "heavy rain"],
  [66, "light freezing rain"],
  [67, "freezing rain"],
  [71, "light snow"],
  [73, "snow"],
  [75, "heavy snow"],
  [77, "snow grains"],
  [80, "light showers"],
  [81, "showers"],
  [82, "violent showers"],
  [85, "light snow showers"],
  [86, "heavy snow showers"],
  [95, "thunderstorm"],
  [96, "thunderstorm with light hail"],
  [99, "thunderstorm with heavy hail"],
]);
